/** The part of `node:readline` that the tiny model uses: the lines of a text. */
export async function* createInterface({ input }: { readonly input: string }): AsyncGenerator<string> {
  yield* input.replace(/\r?\n$/, "").split(/\r?\n/);
}
