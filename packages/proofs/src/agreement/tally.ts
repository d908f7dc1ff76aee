/** What the proof has looked at, and what it found. */
import { writeFileSync } from "node:fs";

/** Who differs from the letter of a document. */
export type Kind = "client" | "types" | "compiler" | "requests" | "answers" | "samples" | "gate" | "reference";

/** One tool says of one thing what the document does not say. */
export interface Difference {
  readonly kind: Kind;
  readonly document: string;
  readonly schema: string;
  /** The value, the form or the property. */
  readonly what: string;
  /** What the tool says, and what the document says. */
  readonly says: string;
}

export class Tally {
  readonly differences: Difference[] = [];
  /** The schemas of which all values were valid, or none. */
  readonly oneSided: string[] = [];
  /** The values that are valid in one form of a schema alone. */
  readonly unequal: string[] = [];
  schemas = 0;
  values = 0;
  valid = 0;
  /** The values of which types can say nothing. */
  unsaid = 0;
  forms = 0;

  /** Writes the differences to a file, those of one tool and one schema together with it, the shortest first. */
  write(file: string, schemaOf: (one: Difference) => unknown): void {
    const groups = new Map<string, Difference[]>();
    for (const one of this.differences) {
      const group = `${one.kind} · ${one.document} · ${one.schema}`;
      groups.set(group, [...(groups.get(group) ?? []), one]);
    }
    const texts = [...groups].map(([group, all]) => {
      const shortest = all.toSorted((a, b) => a.what.length - b.what.length).slice(0, 4);
      const lines = shortest.map(({ what, says }) => `  ${what}: ${says}`);
      return [
        `${group}: ${all.length}`,
        ...all.slice(0, 1).map((one) => `  ${JSON.stringify(schemaOf(one))}`),
        ...lines,
      ].join("\n");
    });
    writeFileSync(file, `${texts.join("\n\n")}\n`);
  }
}
