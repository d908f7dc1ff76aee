/**
 * The part of Redocly's rule interface that our rules use. The command is a bundled program without types, and its library
 * is no longer published at the same version, so these few types are declared here.
 */

/** A location in a source file, as a JSON pointer. */
export interface Place {
  readonly source: { readonly absoluteRef: string };
  readonly pointer: string;
  /** File and pointer: the identity of a location. */
  readonly absolutePointer: string;
  child(path: string | number | readonly (string | number)[]): Place;
  /** The same location, shown at its key instead of its value. */
  key(): ReportPlace;
}

type ReportPlace = Pick<Place, "source" | "pointer">;

/** The target of a reference; `location` is undefined if there is none. */
export interface Resolved {
  readonly node: unknown;
  readonly location: Place | undefined;
}

interface Problem {
  readonly message: string;
  /** Of a value that is there twice, the one to change comes first. */
  readonly location: ReportPlace | readonly ReportPlace[];
  /** The value that was most likely meant. */
  readonly suggest?: readonly string[];
  /** Shown as "referenced from". */
  readonly from?: ReportPlace;
}

export interface Context {
  report(problem: Problem): void;
  /** Resolves a reference. `from` is its file; default: the file being walked. */
  resolve(reference: unknown, from?: string): Resolved;
  /** The location of the node, with references resolved. */
  readonly location: Place;
  /** The location from which the node was reached: that of its `$ref`, if it has one. */
  readonly rawLocation: Place;
  readonly key: string | number;
  readonly type: { readonly name: string; readonly extensionsPrefix?: string };
}

/** Called with each node of a type; a `ref` visitor also gets the target of the reference. */
export type Visit = (node: unknown, context: Context, resolved: Resolved) => void;

/** Visitors by the name of the node type, or `any`, `ref`. */
export type Visitor = Readonly<Record<string, Visit | { readonly enter?: Visit; readonly leave?: Visit }>>;

/** Creates a visitor for one document, whose state lives in the closure. */
export type Rule = (options: Readonly<Record<string, unknown>>) => Visitor;
