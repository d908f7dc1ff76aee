import { isObject, pointerTokens, joinPointer, resolvePointer } from "@trainyard/core/validation";
import { dialect, type Basis } from "@trainyard/document";

/** `contradicts`: the contract says otherwise. `not declared`: the contract does not speak of it. */
export type Certainty = "contradicts" | "not declared";

/** One way in which a service does not do what its contract says. */
export interface Finding {
  readonly service: string;
  /** The operation's name; undefined for what belongs to none, such as an unknown path. */
  readonly operation: string | undefined;
  readonly certainty: Certainty;
  /** Where the contract says it: a JSON Pointer, and the file and line where there is a file. */
  readonly place: { readonly pointer: string; readonly file?: string; readonly line?: number };
  /** What the contract says. */
  readonly says: string;
  /** Where the contract has that from; `http` for what every service of HTTP does. */
  readonly basis: Basis | "http" | undefined;
  /** What was seen, without keys and without values that are never shown. */
  readonly seen: string;
  /** What was tried, as `GET /v1/health without a key`. */
  readonly request: string;
  /** Quote it where one asks about the answer. */
  readonly requestId: string | undefined;
  /** How often it was seen. */
  readonly times: number;
}

/** Where what stands at a pointer comes from: its own basis, or that of what is around it. */
export function basisAt(root: object, pointer: string): Basis | undefined {
  const tokens = pointerTokens(pointer);
  for (let length = tokens.length; length > 0; length--) {
    const node = resolvePointer(root, joinPointer("#", ...tokens.slice(0, length)));
    const basis = isObject(node) ? dialect.basis.read(node) : undefined;
    if (basis !== undefined) return basis;
  }
  return undefined;
}
