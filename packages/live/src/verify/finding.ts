import { isObject, pointerTokens, joinPointer, resolvePointer } from "@trainyard/core/validation";
import { dialect, type Basis } from "@trainyard/document";

/** `contradicts`: the contract says otherwise. `not declared`: the contract does not mention it. */
export type Certainty = "contradicts" | "not declared";

/** One difference between a service and its contract. */
export interface Finding {
  readonly service: string;
  /** The operation's name; undefined if it concerns none, such as for an unknown path. */
  readonly operation: string | undefined;
  readonly certainty: Certainty;
  /** Where the contract says it: a JSON Pointer, with file and line if the service's document is a file. */
  readonly place: { readonly pointer: string; readonly file?: string; readonly line?: number };
  /** What the contract says. */
  readonly says: string;
  /** The basis of that sentence in the contract; `http` for a rule of HTTP itself. */
  readonly basis: Basis | "http" | undefined;
  /** What the service did instead, without keys and without sensitive values. */
  readonly seen: string;
  /** The request: `GET /v1/health, without a key`. */
  readonly request: string;
  /** The id of the request, for questions about the response. */
  readonly requestId: string | undefined;
  /** How often it occurred. */
  readonly times: number;
}

/** The basis at a pointer: that of the object itself, or of the nearest object around it that has one. */
export function basisAt(root: object, pointer: string): Basis | undefined {
  const tokens = pointerTokens(pointer);
  for (let length = tokens.length; length > 0; length--) {
    const node = resolvePointer(root, joinPointer("#", ...tokens.slice(0, length)));
    const basis = isObject(node) ? dialect.basis.read(node) : undefined;
    if (basis !== undefined) return basis;
  }
  return undefined;
}
