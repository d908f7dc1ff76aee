import { named, type Limits } from "./limits.ts";

/** The maximum size and depth of a body, and how many values it may have. */
export interface BodyLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly values?: number | undefined;
  readonly names?: Limits["names"] | undefined;
}

/** The result of reading a body. */
export type Body =
  | { readonly kind: "none" }
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: "malformed" | "too-large"; readonly reason: string };

/**
 * Reads a body to its end, even if it is too large, because a client whose upload is cut off never reads the response.
 *
 * @param length the declared length; a body that is known to be small is read at once, which is fastest
 * @returns undefined if the body is larger than permitted
 */
export async function readBytes(
  request: Request,
  length: number,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (length <= Math.min(limit, inOnePiece)) return new Uint8Array(await request.arrayBuffer());
  // If the length is known, copy each chunk on arrival: joining a large body at the end would block this thread.
  let whole = length <= limit ? new Uint8Array(length) : undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    const start = size;
    size += part.byteLength;
    if (whole !== undefined && size > whole.byteLength) {
      parts.push(whole.subarray(0, start));
      whole = undefined;
    }
    if (whole !== undefined) whole.set(part, start);
    else if (size <= limit) parts.push(part);
    // No reasonable client sends this much beyond the limit.
    if (size > limit * 8) break;
  }
  if (size > limit) return undefined;
  return whole?.byteLength === size ? whole : joined(whole === undefined ? parts : [whole.subarray(0, size)], size);
}

const inOnePiece = 2 ** 18;

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a complete body of permitted size. Its bytes are those that were parsed: without a byte order mark. */
export function parseBody(sent: Uint8Array<ArrayBuffer>, limits: BodyLimits): Body {
  if (sent.byteLength === 0) return { kind: "none" };
  const bytes = sent[0] === 0xef && sent[1] === 0xbb && sent[2] === 0xbf ? sent.subarray(3) : sent;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { kind: "malformed", reason: "The body is not valid JSON: it is not UTF-8." };
  }
  const { depth, values } = extentOf(text);
  if (depth > limits.depth) {
    const reason = `The request body is nested deeper than ${limits.depth} levels${named(limits.names?.bodyDepth)}.`;
    return { kind: "too-large", reason };
  }
  if (limits.values !== undefined && values > limits.values) {
    const reason = `The request body has about ${values} values, and this operation accepts at most ${limits.values}. Send smaller schemas or fewer items.`;
    return { kind: "too-large", reason };
  }
  try {
    return { kind: "json", value: JSON.parse(text), bytes };
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? "" : ` at character ${position}`;
    return { kind: "malformed", reason: `The body is not valid JSON${where}.` };
  }
}

/** The depth of nested brackets, except those in strings. */
export function depthOf(text: string): number {
  return extentOf(text).depth;
}

/**
 * The depth of nested brackets, and about how many values there are: an empty list or object counts twice. Works on the text, so that
 * no depth can exhaust the stack.
 */
function extentOf(text: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) i = endOfString(text, i);
    else if (char === 0x2c) values++;
    else if (char === 0x5b || char === 0x7b) {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
  return { depth: deepest, values };
}

/** The end of the string that begins at a quote. Most of a body is text, so it is skipped quickly. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}
