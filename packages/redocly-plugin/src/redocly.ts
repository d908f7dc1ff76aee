/**
 * The part of Redocly's rule interface that our rules use. The command is one bundled program without types, and its
 * library is no longer published at the same version, so the few shapes are written here.
 */

/** A place in a source file, as a JSON pointer. */
export interface Place {
  readonly source: { readonly absoluteRef: string };
  readonly pointer: string;
  /** File and pointer together: the identity of a place. */
  readonly absolutePointer: string;
  child(path: string | number | readonly (string | number)[]): Place;
  /** The same place, shown on its key and not on its value. */
  key(): ReportPlace;
}

type ReportPlace = Pick<Place, "source" | "pointer">;

/** What a reference leads to; `location` is missing where it leads nowhere. */
interface Resolved {
  readonly node: unknown;
  readonly location: Place | undefined;
}

interface Problem {
  readonly message: string;
  readonly location: ReportPlace;
  /** What was most likely meant. */
  readonly suggest?: readonly string[];
  /** Shown as "referenced from". */
  readonly from?: ReportPlace;
}

export interface Context {
  report(problem: Problem): void;
  /** Follows a reference. `from` is the file that it stands in; without it, the file being walked. */
  resolve(reference: unknown, from?: string): Resolved;
  /** Where the node stands after references are followed. */
  readonly location: Place;
  /** Where the node was reached from: the place of its `$ref`, if it has one. */
  readonly rawLocation: Place;
  readonly key: string | number;
  readonly type: { readonly name: string; readonly extensionsPrefix?: string };
}

/** Called with each node of a type; a `ref` visitor also gets what the reference leads to. */
type Visit = (node: unknown, context: Context, resolved: Resolved) => void;

/** Visitors by the name of the node type, and `any`, `ref`. */
type Visitor = Readonly<Record<string, Visit | { readonly enter?: Visit; readonly leave?: Visit }>>;

/** Makes a visitor for one document. State of a document lives in the closure. */
export type Rule = (options: Readonly<Record<string, unknown>>) => Visitor;
