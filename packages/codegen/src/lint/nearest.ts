import { editDistance } from "@trainyard/document";

/** The name that was most likely meant: the one with the fewest edits, if they are few for its length. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(written.length / 3));
  let found: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = name === written ? Infinity : editDistance(written, name);
    if (edits <= most && edits < (found?.edits ?? Infinity)) found = { name, edits };
  }
  return found?.name;
}
