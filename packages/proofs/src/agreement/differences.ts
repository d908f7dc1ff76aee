/** The values on which a tool differs, and the forms that the gate tells apart. */
import { writeFileSync } from "node:fs";

/** Who differs: each tool is compared with the letter of the document. */
export type Kind = "client" | "types" | "requests" | "answers" | "samples" | "gate" | "reference" | "compiler";

/** One tool says of one thing what the document does not say. */
export interface Difference {
  readonly kind: Kind;
  readonly document: string;
  readonly schema: string;
  /** The value, or the form. */
  readonly what: string;
  /** What the tool says, and what the document says. */
  readonly says: string;
}

/** How many differences each tool has, by document. */
export function countsOf(differences: readonly Difference[]): Record<string, Partial<Record<Kind, number>>> {
  const counts: Record<string, Partial<Record<Kind, number>>> = {};
  for (const { document, kind } of differences) {
    const ofDocument = (counts[document] ??= {});
    ofDocument[kind] = (ofDocument[kind] ?? 0) + 1;
  }
  return counts;
}

/** Writes the differences to a file, those of one schema together with what it is, the shortest first. */
export function list(file: string, differences: readonly Difference[], schemaOf: (one: Difference) => unknown): void {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) {
    const group = `${one.kind} · ${one.document} · ${one.schema}`;
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  const texts = [...groups].map(([group, all]) => {
    const [first] = all;
    const shortest = all.toSorted((a, b) => a.what.length - b.what.length).slice(0, 4);
    const lines = shortest.map(({ what, says }) => `  ${what}: ${says}`);
    return [`${group}: ${all.length}`, `  ${JSON.stringify(first && schemaOf(first))}`, ...lines].join("\n");
  });
  writeFileSync(file, `${texts.join("\n\n")}\n`);
}
