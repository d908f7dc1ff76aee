import { expect, it } from "vitest";
import { alignTokens } from "./surprise.ts";

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];
const token = (text: string | number[], at: number) => ({
  token: typeof text === "string" ? text : "\uFFFD",
  bytes: typeof text === "string" ? undefined : text,
  logprob: -at,
});
const [first, second] = [bytesOf("😀").slice(0, 2), bytesOf("😀").slice(2)];

/** Text with the log probability of each piece, in brackets; plain where there is none. */
const write = (pieces: readonly { text: string; logprob?: number | undefined }[]) =>
  pieces.map(({ text, logprob }) => (logprob === undefined ? text : `[${text}${logprob || 0}]`)).join("");

it.each([
  // what, tokens, content, reasoning, its content, its reasoning, the tokens beside it
  ["whole", ["a", " b"], "a b", "", "[a0][ b-1]", "", ""],
  ["the start", ["a", " b"], "a b c", "", "[a0][ b-1] c", "", ""],
  ["the middle", [" b", " c"], "a b c d", "", "a[ b0][ c-1] d", "", ""],
  ["the end", [" c", " d"], "a b c d", "", "a b[ c0][ d-1]", "", ""],
  ["both ends", ["a", " b", " y", " z"], "a b and on y z", "", "[a0][ b-1] and on[ y-2][ z-3]", "", ""],
  ["a repeated phrase", ["no", " no", " yes"], "no no yes", "", "[no0][ no-1][ yes-2]", "", ""],
  ["the later one", [" a", " c"], "x a b a c", "", "x a b[ a0][ c-1]", "", ""],
  ["two tokens a character", ["x", first, second], "x😀", "", "[x0][😀-3]", "", ""],
  ["half a character", ["x", first], "x😀!", "", "[x0]😀!", "", ""],
  ["an end token", ["a", "<|im_end|>"], "a", "", "[a0]", "", "[<|im_end|>-1]"],
  ["one between", ["a", "<|x|>", "b"], "ab", "", "[a0][b-2]", "", "[<|x|>-1]"],
  ["trimmed", ["\n\na", " b\n"], "a b", "", "[a0][ b-1]", "", ""],
  [
    "thought",
    ["<think>", "yes", "</think>", "yes", "</s>"],
    "yes",
    "yes",
    "[yes-3]",
    "[yes-1]",
    "[<think>0][</think>-2][</s>-4]",
  ],
  [
    "thought in tokens alone",
    ["<think>", "yes", "</think>", "yes"],
    "yes",
    "",
    "[yes-3]",
    "",
    "[<think>0][yes-1][</think>-2]",
  ],
  ["a tool call", ["find", "(1)"], "", "", "", "", "[find0][(1)-1]"],
  ["other tokens", ["x", "y"], "a b", "", "differ: a b", "", "[x0][y-1]"],
  ["partly others", ["a", " x"], "a b", "", "differ: a b", "", "[a0][ x-1]"],
  ["unknown bytes", ["a", "\uFFFD", "b"], "aéb", "", "[a0]é[b-2]", "", "[\uFFFD-1]"],
] as const)("aligns %s", (_, tokens, content, reasoning, ...expected) => {
  const aligned = alignTokens(
    tokens.map((one, at) => token(typeof one === "string" ? one : [...one], at)),
    content,
    reasoning,
  );
  const shown = [aligned.differ ? `differ: ${write(aligned.content)}` : write(aligned.content)];
  expect([...shown, write(aligned.reasoning), write(aligned.beside)]).toEqual(expected);
});
