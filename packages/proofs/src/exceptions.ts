import { successAnswers, type Operation } from "@trainyard/document";
import { formats } from "@trainyard/core/validation";
import { jsonOf, someWithin, type Sent } from "./requests.ts";

/** A request, and the statuses that Prism and our host returned. */
export interface Pair {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly prism: number;
  readonly own: number;
}

/** A class of requests that Prism handles differently, rightly or not. */
export interface Exception {
  readonly name: string;
  /** Why our host is right. */
  readonly why: string;
  /** Whether it explains a difference. It must not match more than necessary. */
  applies(pair: Pair): boolean;
}

/** All classes, at most ten. One that explains nothing fails the test. */
export const exceptions: readonly Exception[] = [
  {
    name: "a time without an offset",
    why: "The contract reads it as UTC; RFC 3339, which Prism follows, requires an offset.",
    applies: ({ sent, prism, own }) => prism === 422 && own !== 422 && someWithin(jsonOf(sent), isLocalTime),
  },
  {
    name: "an unsatisfiable Accept",
    why: "Prism returns 406, which the contract does not declare: a request for another type gets the declared type.",
    applies: ({ operation, sent, prism }) => {
      const isText = successAnswers(operation).accept !== undefined;
      return (
        prism === 406 && (isText ? /json|event-stream|html/ : /event-stream|html/).test(sent.headers["accept"] ?? "")
      );
    },
  },
  {
    name: "a path id that is not a UUID",
    why: "An id is a string in the documents, so an unknown one is not found (404) instead of invalid; Prism does not know which exist.",
    applies: ({ operation, sent, prism, own }) => own === 404 && prism !== 404 && !hasUuids(operation, sent),
  },
  {
    name: "an empty value, or a number with an exponent",
    why: "Prism treats an empty parameter as missing, and 1e2 as an integer. We validate the text that was sent.",
    applies: ({ operation, sent, prism, own }) =>
      [prism, own].every((status) => status !== 401 && status !== 405) && isUnusual(operation, sent),
  },
  {
    name: "malformed JSON",
    why: "Prism returns 400 before it checks operation and key. The contract has a status for it, after the key.",
    applies: ({ sent, prism }) => prism === 400 && sent.body !== undefined && jsonOf(sent) === undefined,
  },
  {
    name: "a status of its own for one limit",
    why: "`x-invalid-status` is ours: Prism has one status for all invalid requests.",
    applies: ({ operation, prism, own }) => prism === 422 && own === 400 && operation.responses.has("400"),
  },
  {
    name: "the scheme of a key in lower case",
    why: "RFC 9110: the name of a scheme ignores case. Prism accepts only `Bearer`.",
    applies: ({ sent, prism, own }) =>
      prism === 401 && own !== 401 && /^bearer ./.test(sent.headers["authorization"] ?? ""),
  },
  {
    name: "another scheme if no key is needed",
    why: "The document says that the operation may be called without a key. Prism rejects credentials that it does not understand.",
    applies: ({ operation, prism, own }) =>
      prism === 401 && own !== 401 && operation.security.some((set) => set.length === 0),
  },
  {
    name: "a body without a content type, or with one that is not accepted",
    why: "RFC 9110 lets a recipient inspect a body without a type, and has 415 for one that it does not accept. Prism reads text, and reports that it is not an object.",
    applies: ({ sent, prism, own }) =>
      [400, 422].includes(prism) &&
      own !== prism &&
      sent.body !== undefined &&
      !/json/.test(sent.headers["content-type"] ?? ""),
  },
  {
    name: "a trailing slash",
    why: "Prism reads an empty id there. For us it is another path.",
    applies: ({ sent, own }) => own === 404 && /\/(\?|$)/.test(sent.target),
  },
];

/** Whether a value is a time without an offset, which the contract reads as UTC. */
export function isLocalTime(value: unknown): value is string {
  return typeof value === "string" && formats["date-time"].test(value) && !/([Zz]|[+-]\d\d:\d\d)$/.test(value);
}

function hasUuids({ path }: Operation, { target }: Sent): boolean {
  const parts = path.split("/");
  const segments = target.split("?")[0]?.split("/") ?? [];
  return parts.every((part, index) => !part.startsWith("{") || formats.uuid.test(segments[index] ?? ""));
}

function isUnusual({ parameters }: Operation, { target, headers }: Sent): boolean {
  const values = [...new URL(target, "http://own.invalid").searchParams.values()];
  const given = parameters.filter((one) => one.in === "header").map(({ name }) => headers[name]);
  return [...values, ...given].some((value) => value === "" || (value !== undefined && /^\d+e\d+$/.test(value)));
}
