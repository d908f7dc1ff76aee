/** The name under which a sample runs in a page, or what it needs instead. Undefined if it is not a program. */
export type Runnable =
  | { readonly runs: true; readonly name: string }
  | { readonly runs: false; readonly needs: readonly string[] };

/** The samples as the build of the page lists them, by their paths. */
export function runnable(facts: Readonly<Record<string, Runnable>>, file: string): Runnable | undefined {
  return facts[file];
}
