/** How large and how deep a body may be. */
export interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
}

/** What came as a body. */
export type Body =
  | { readonly kind: "none" }
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: "malformed" | "too-deep"; readonly reason: string };

/**
 * Reads a body to its end, even when it is too large: a sender that is cut off never reads the answer.
 *
 * @param length the stated length; a body that is known to be small is read in one piece, which costs the least
 * @returns undefined for a body that is larger than it may be
 */
export async function readBytes(
  request: Request,
  length: number,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (length <= Math.min(limit, inOnePiece)) return new Uint8Array(await request.arrayBuffer());
  // Where the length is known, each part is copied when it comes: to put a large body together holds this thread.
  let whole = length <= limit ? new Uint8Array(length) : undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    const place = size;
    size += part.byteLength;
    if (whole !== undefined && size > whole.byteLength) {
      parts.push(whole.subarray(0, place));
      whole = undefined;
    }
    if (whole !== undefined) whole.set(part, place);
    else if (size <= limit) parts.push(part);
    // Nobody who is in earnest sends this much more.
    if (size > limit * 8) break;
  }
  if (size > limit) return undefined;
  return whole?.byteLength === size ? whole : joined(whole === undefined ? parts : [whole.subarray(0, size)], size);
}

const inOnePiece = 2 ** 18;

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let place = 0;
  for (const part of parts) {
    bytes.set(part, place);
    place += part.byteLength;
  }
  return bytes;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a body that is there as a whole, and not larger than it may be. */
export function parseBody(bytes: Uint8Array<ArrayBuffer>, limits: BodyLimits): Body {
  if (bytes.byteLength === 0) return { kind: "none" };
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { kind: "malformed", reason: "The body is not valid JSON: it is not UTF-8." };
  }
  if (depthOf(text) > limits.depth) {
    return { kind: "too-deep", reason: `The request body is nested deeper than ${limits.depth} levels.` };
  }
  try {
    return { kind: "json", value: JSON.parse(text), bytes };
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? "" : ` at character ${position}`;
    return { kind: "malformed", reason: `The body is not valid JSON${where}.` };
  }
}

/** How deep brackets are nested, those in strings left out. Looks at text, so that no depth can exhaust the stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x5d || char === 0x7d) depth--;
  }
  return deepest;
}

/** Where the string ends that begins at a quote. Most of a body is text: it is skipped in leaps. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}
