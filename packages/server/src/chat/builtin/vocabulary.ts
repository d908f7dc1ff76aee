/** What the built-in model can say. A token is a word with the space before it, or a mark. */
export const vocabulary: readonly string[] = [
  "",
  ".",
  ",",
  "?",
  ..." the a train yard track engine signal station driver carriage platform bridge tunnel line morning evening north south east west old new slow fast long short red green blue runs waits turns stops starts leaves comes goes carries passes over under from to with and then but not always never here there today tomorrow one two three many"
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => ` ${word}`),
];

/** The token that ends an answer. */
export const endToken = 0;

/** How many tokens a text has: words with the white space before them, and marks one by one. */
export function countTokens(text: string): number {
  return text.match(/\s*(?:[\p{L}\p{N}_]+|[^\s])|\s+$/gu)?.length ?? 0;
}
