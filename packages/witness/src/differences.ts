import type { DocumentOperation } from "@trainyard/front";
import type { Told } from "./probes.ts";
import type { Sent } from "./requests.ts";

/** One thing that mock and local server tell differently of a request. */
export interface Finding {
  readonly operation: DocumentOperation;
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
    name: "HEAD",
    why: "The server answers HEAD wherever there is GET. The mock has no method that is not in the document.",
    applies: ({ sent, mock, server }) => sent.method === "HEAD" && mock["status"] === 405 && server["status"] !== 405,
  },
  {
    name: "HEAD in Allow",
    why: "The server names HEAD beside GET, which it answers.",
    applies: ({ field, mock, server }) =>
      field === "allow" && String(server[field]).replace("GET, HEAD", "GET") === mock[field],
  },
  {
    name: "the code of a 401",
    why: "The mock has the codes of the documents' examples; the server has its own.",
    applies: ({ field, mock, server }) => field === "code" && mock["status"] === 401 && server["status"] === 401,
  },
  {
    name: "the code of a path that is not there",
    why: "It belongs to no operation, so that no example has one: not_found and unknown_url.",
    applies: ({ field, mock, server }) =>
      field === "code" && mock[field] === "not_found" && server[field] === "unknown_url",
  },
  {
    name: "the type of a path that is not there",
    why: "The mock takes the words of another error of the document, the server those of its own table.",
    applies: ({ field, mock, server }) =>
      field === "type" && mock["status"] === 404 && server["code"] === "unknown_url",
  },
  {
    name: "the code of a 405",
    why: "The mock says method_not_allowed, the server leaves it out.",
    applies: ({ field, mock, server }) =>
      mock["status"] === 405 && server["status"] === 405 && ["code", "form"].includes(field),
  },
  {
    name: "basic authentication as another user than api",
    why: "The server refuses it, as the document says; the mock takes any user.",
    applies: ({ sent, operation, server }) =>
      operation.security.flat().some(({ kind }) => kind === "basic") &&
      sent.headers["authorization"]?.startsWith("Basic Ym9i") === true &&
      server["status"] === 401,
  },
  {
    name: "headers that are too large",
    why: "The server counts them (431). The mock leaves it to its port.",
    applies: ({ server }) => server["status"] === 431,
  },
];
