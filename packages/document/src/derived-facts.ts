import { readDocument } from "./read-document.ts";

/** What was derived for one operation. */
export interface DerivedFacts {
  /** `users.listUsers`. */
  readonly name: string;
  /** `GET`. */
  readonly method: string;
  readonly path: string;
  /** One for each fact: `method from operationId list_users and tag Users`, `resend always (GET)`. */
  readonly reasons: readonly string[];
}

/** The operations of a document with facts that it does not declare, in its order. */
export function derivedFacts(root: object): DerivedFacts[] {
  return readDocument(root).operations.flatMap(({ name, method, path, derived }) =>
    derived.length === 0 ? [] : [{ name, method, path, reasons: derived }],
  );
}

/** One line for each operation: its name, its place and the reasons, in columns. */
export function explainFacts(facts: readonly DerivedFacts[]): string[] {
  const rows = facts.map(({ name, method, path, reasons }) => ({ name, place: `${method} ${path}`, reasons }));
  const [names, places] = [rows.map(({ name }) => name.length), rows.map(({ place }) => place.length)];
  const [name, place] = [names, places].map((all) => all.reduce((a, b) => Math.max(a, b), 0));
  return rows.map((row) =>
    // A name in a document may contain line breaks.
    `${row.name.padEnd(name ?? 0)} ${row.place.padEnd(place ?? 0)}  ${row.reasons.join("; ")}`.replaceAll(
      /\p{Control}/gu,
      " ",
    ),
  );
}
