/** Whether a sample runs in a page: under which name, or what it needs instead. Undefined for what is no program. */
export type Runnable =
  | { readonly runs: true; readonly name: string }
  | { readonly runs: false; readonly needs: readonly string[] };

/** What the build of the page wrote of its samples, by their paths. */
export function runnable(facts: Readonly<Record<string, Runnable>>, file: string): Runnable | undefined {
  return facts[file];
}
