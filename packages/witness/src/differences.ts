import type { Operation } from "@trainyard/document";
import type { Told } from "./probes.ts";
import type { Sent } from "./requests.ts";

/** One thing that mock and local server tell differently of a request. */
export interface Finding {
  readonly operation: Operation;
  readonly sent: Sent;
  /** What differs: `status`, `code`, `places`, or a header. */
  readonly field: string;
  readonly mock: Told;
  readonly server: Told;
}

/** A difference of today between mock and local server, which is to go. */
export interface Difference {
  readonly name: string;
  /** Which of the two does what the contract says. */
  readonly why: string;
  applies(finding: Finding): boolean;
}

/** All differences. One that is no more fails the test: then it is deleted here. */
export const differences: readonly Difference[] = [
  {
    name: "a media type or an encoding that is not taken",
    why: "The server answers 415. The mock tells it as a fault, or reads the body as if it were plain.",
    applies: ({ server }) => server["status"] === 415,
  },
  {
    name: "an id that is no UUID in a request with other faults",
    why: "The server looks at the ids of a path before it reads a body; the mock, after it has judged it.",
    applies: ({ mock, server }) => server["status"] === 404 && [400, 413, 422].includes(Number(mock["status"])),
  },
  {
    name: "basic authentication as another user than api",
    why: "The server refuses it, as the document says; the mock takes any user.",
    applies: ({ sent, operation, server }) =>
      operation.security.flat().some(({ carrier }) => carrier?.kind === "basic") &&
      sent.headers["authorization"]?.startsWith("Basic Ym9i") === true &&
      server["status"] === 401,
  },
  {
    name: "headers that are too large",
    why: "The server counts them (431). The mock leaves it to its port.",
    applies: ({ server }) => server["status"] === 431,
  },
];
