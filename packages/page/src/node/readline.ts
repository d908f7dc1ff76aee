/** What the tiny model uses of `node:readline`: the lines of a text. */
export async function* createInterface({ input }: { readonly input: string }): AsyncGenerator<string> {
  yield* input.replace(/\r?\n$/, "").split(/\r?\n/);
}
