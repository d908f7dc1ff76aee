import { acceptOf, responseOf, type Operation } from "@trainyard/document";
import { formats } from "@trainyard/core/validation";
import { jsonOf, someWithin, type Sent } from "./requests.ts";

/** A request, and the statuses with which Prism and our own host answered it. */
export interface Pair {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly prism: number;
  readonly own: number;
}

/** A class of requests of which Prism thinks otherwise, with good reason or without. */
export interface Exception {
  readonly name: string;
  /** Why ours is right nevertheless. */
  readonly why: string;
  /** Whether it explains a difference. It says no more of the two answers than it must. */
  applies(pair: Pair): boolean;
}

/** All classes. There are to be ten at most, and one that explains nothing fails the test. */
export const exceptions: readonly Exception[] = [
  {
    name: "a time without an offset",
    why: "The contract reads it as UTC; RFC 3339, by which Prism judges, asks for an offset.",
    applies: ({ sent, prism, own }) => prism === 422 && own !== 422 && someWithin(jsonOf(sent), isLocalTime),
  },
  {
    name: "an unsatisfiable Accept",
    why: "Prism answers 406. The contract declares none: who asks for another type gets what there is all the same.",
    applies: ({ operation, sent, prism }) => {
      const isText = acceptOf(responseOf(operation, 200)?.content ?? new Map()) !== undefined;
      return (
        prism === 406 && (isText ? /json|event-stream|html/ : /event-stream|html/).test(sent.headers["accept"] ?? "")
      );
    },
  },
  {
    name: "a path id that is no UUID",
    why: "An id is text in the documents, so that a wrong one is not found (404) and not invalid; Prism knows nothing of what exists.",
    applies: ({ operation, sent, prism, own }) => own === 404 && prism !== 404 && !hasUuids(operation, sent),
  },
  {
    name: "an empty value, or a number with an exponent",
    why: "Prism takes an empty parameter for one that is missing, and 1e2 for an integer. We judge the text that was sent.",
    applies: ({ operation, sent, prism, own }) =>
      [prism, own].every((status) => status !== 401 && status !== 405) && isUnusual(operation, sent),
  },
  {
    name: "malformed JSON",
    why: "Prism answers 400 before it looks for an operation or a key. The contract has a status for it, after the key.",
    applies: ({ sent, prism }) => prism === 400 && sent.body !== undefined && jsonOf(sent) === undefined,
  },
  {
    name: "a status of its own for one limit",
    why: "`x-invalid-status` is ours: Prism knows one status for all that is invalid.",
    applies: ({ operation, prism, own }) => prism === 422 && own === 400 && operation.responses.has("400"),
  },
  {
    name: "the scheme of a key in small letters",
    why: "RFC 9110: the name of a scheme has no case. Prism takes `Bearer` alone.",
    applies: ({ sent, prism, own }) =>
      prism === 401 && own !== 401 && /^bearer ./.test(sent.headers["authorization"] ?? ""),
  },
  {
    name: "another scheme where no key is needed",
    why: "The document says that the operation may be called without a key. Prism refuses what it cannot read.",
    applies: ({ operation, prism, own }) =>
      prism === 401 && own !== 401 && operation.security.some((set) => set.length === 0),
  },
  {
    name: "a body without a content type, or with one that is not taken",
    why: "RFC 9110 lets a recipient look at a body without a type, and has 415 for one that it does not take. Prism reads text, and finds that it is no object.",
    applies: ({ sent, prism, own }) =>
      [400, 422].includes(prism) &&
      own !== prism &&
      sent.body !== undefined &&
      !/json/.test(sent.headers["content-type"] ?? ""),
  },
  {
    name: "a slash at the end",
    why: "Prism finds an id of no letters there. For us it is another path.",
    applies: ({ sent, own }) => own === 404 && /\/(\?|$)/.test(sent.target),
  },
];

/** Whether something is a time that the contract takes as UTC, since it says nothing else. */
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
