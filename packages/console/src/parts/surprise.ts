import type { Token } from "./content.ts";

/** A part of a text; with the log probability of its tokens, if these cover it completely. */
export interface Piece {
  readonly text: string;
  readonly logprob?: number | undefined;
}

/** Where the tokens of a choice belong. */
export interface Aligned {
  readonly content: readonly Piece[];
  readonly reasoning: readonly Piece[];
  /** Tokens that are part of neither text: special tokens, a thinking part, a tool call. */
  readonly beside: readonly Piece[];
  /** Whether the tokens are not those of the text. Then the text has no log probabilities. */
  readonly differ: boolean;
}

/** From where to where a token covers a text, in bytes. */
type Span = readonly [from: number, to: number];

/** One character for each byte, so that the methods of strings find bytes. */
const packed = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const pack = (text: string): string => packed(new TextEncoder().encode(text));
const unpack = (bytes: string): string => new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));

/** Tokens that a text may lack: special ones, spaces at its ends, and parts of characters that were logged without bytes. */
const isOptional = ({ token, bytes }: Token): boolean =>
  /^\s*(<[^<>]*>\s*|\[\/?[A-Z_]+\]\s*)?$/.test(token) || (bytes === undefined && token.includes("\uFFFD"));

/** Maps the tokens of a choice to its content and its reasoning, by bytes. */
export function alignTokens(tokens: readonly Token[], content: string, reasoning: string): Aligned {
  const bytes = tokens.map(({ token, bytes: given }) => (given === undefined ? pack(token) : packed(given)));
  const [text, thought] = [pack(content), pack(reasoning)];
  const begin = thought === "" ? -1 : bytes.join("").indexOf(thought);
  let [end, count] = [0, 0];
  if (begin >= 0) while (end < begin + thought.length) end += bytes[count++]?.length ?? 0;
  const ofThought = begin < 0 ? [] : spansAt(bytes.slice(0, count), thought, begin);
  const ofText = spansOf(bytes.slice(count), text);
  const spans = [...ofThought, ...ofText];
  const left = tokens.filter((_, at) => spans[at] === undefined);
  const own = tokens.slice(count);
  const pieces = piecesOf(text, ofText, own);
  const differ =
    left.some((one) => !isOptional(one)) && pieces.some((piece) => !piece.isCovered && piece.text.trim() !== "");
  return {
    content: differ ? [{ text: content }] : pieces,
    reasoning: begin < 0 ? [{ text: reasoning }] : piecesOf(thought, ofThought, tokens),
    beside: (differ ? own : left).map(({ token, logprob }) => ({ text: token, logprob })),
    differ,
  };
}

/** The spans of tokens of which all together contain a text at a place. */
function spansAt(tokens: readonly string[], text: string, place: number): (Span | undefined)[] {
  let end = -place;
  return tokens.map(({ length }) => {
    const from = Math.max(0, end);
    end += length;
    const to = Math.min(text.length, end);
    return from < to ? [from, to] : undefined;
  });
}

/** The spans of tokens that may cover only parts of a text, and of which some may not be part of it. */
function spansOf(tokens: readonly string[], text: string): (Span | undefined)[] {
  // A thinking part often says the same before, and nothing after it does.
  const place = text === "" ? -1 : tokens.join("").lastIndexOf(text);
  if (place >= 0) return spansAt(tokens, text, place);
  let end = 0;
  return tokens.map((token, at) => {
    if (token === "") return undefined;
    // Together with those that follow, a repeated word is found at its own place.
    const runs = [8, 4, 2].map((length) => text.indexOf(tokens.slice(at, at + length).join(""), end));
    const alone = text.startsWith(token, end) ? end : text.indexOf(token, end);
    const from = runs.find((one) => one >= 0) ?? alone;
    if (from < 0) return undefined;
    end = from + token.length;
    return [from, end];
  });
}

/** Cuts a text where tokens begin and end, but never within a character, which may have several tokens. */
function piecesOf(
  text: string,
  spans: readonly (Span | undefined)[],
  tokens: readonly Token[],
): (Piece & { readonly isCovered: boolean })[] {
  const isWithin = (at: number) => (text.charCodeAt(at) & 0xc0) === 0x80;
  const known = spans.flatMap((span, at) =>
    span === undefined ? [] : [{ span, logprob: tokens[at]?.logprob ?? NaN }],
  );
  const cuts = [...new Set([0, ...known.flatMap(({ span }) => span), text.length])].filter((at) => !isWithin(at));
  let next = 0;
  return cuts.slice(1).map((to, at) => {
    const from = cuts[at] ?? 0;
    let [covered, logprob] = [0, 0];
    for (let one = known[next]; one !== undefined && one.span[0] < to; one = known[++next]) {
      covered += one.span[1] - one.span[0];
      logprob += one.logprob;
    }
    const isCovered = covered === to - from;
    return { text: unpack(text.slice(from, to)), isCovered, logprob: isCovered ? logprob : undefined };
  });
}
