import type { FetchResponse, ParamsOption, RequestBodyOption } from "openapi-fetch";
import type { CallInit } from "./inside.ts";
import type { Method } from "./operation.ts";
import type { Fetch, KeyedCallOptions } from "./options.ts";

/** How a successful body can be read: the contract has JSON and streams of text alone. */
export type ReadAs = "json" | "text" | "stream";

/** The paths that have a method. */
type PathsWith<Paths, Verb extends PropertyKey> = {
  [Path in keyof Paths]: Paths[Path] extends { [Key in Verb]: unknown } ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, Verb extends PropertyKey> = Paths[Path][Verb & keyof Paths[Path]];

/** What a call by path takes: its parameters and body as the document has them, the options of every call, and `fetch`'s. */
export type HttpInit<Operation, As extends ReadAs> = ParamsOption<Operation> &
  RequestBodyOption<Operation> &
  KeyedCallOptions &
  CallInit & {
    /** What becomes of a redirect. Default `follow`. */
    redirect?: "error" | "follow" | "manual";
    /** How to read a successful body. Default `json`. */
    parseAs?: As;
    /** What sends this call. Default: the client's. */
    fetch?: Fetch;
  };

/** Calls an operation by its path. */
export type HttpCall<Paths, Verb extends PropertyKey> = <
  Path extends PathsWith<Paths, Verb>,
  As extends ReadAs = "json",
>(
  path: Path,
  ...init: {} extends HttpInit<OperationAt<Paths, Path, Verb>, As>
    ? [init?: HttpInit<OperationAt<Paths, Path, Verb>, As>]
    : [init: HttpInit<OperationAt<Paths, Path, Verb>, As>]
) => Promise<FetchResponse<OperationAt<Paths, Path, Verb> & {}, { parseAs: As }, "application/json">>;

/**
 * The operations by method and path, typed by the document's `paths`, under the same rules as the methods. Gives
 * `{ data, error, response }` where methods throw an {@link ApiError}; other errors are thrown here too.
 */
export type HttpClient<Paths> = {
  readonly [Verb in Method as [PathsWith<Paths, Lowercase<Verb>>] extends [never] ? never : Verb]: HttpCall<
    Paths,
    Lowercase<Verb>
  >;
};
