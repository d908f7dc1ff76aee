import type { Comparison, Pair } from "../comparison.ts";
import { type Document, type Spot, child } from "../document.ts";
import { operationRules } from "./extensions.ts";
import { childPair, compareKeys } from "./keys.ts";
import { type Parameters, compareParameters, parameters } from "./parameter.ts";
import { compareBody, compareResponses } from "./response.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

/** What an operation takes and how it is called, in both documents. */
interface Sides {
  readonly path: Pair;
  readonly operation: Pair;
}

/** Compares an operation that both documents have. */
export function compareOperation(comparison: Comparison, { path, operation }: Sides): void {
  const before = parameters(comparison.base, path.base, operation.base);
  const now = parameters(comparison.revision, path.revision, operation.revision);
  const nowhere = {
    base: child(operation.base, "parameters").pointer,
    revision: child(operation.revision, "parameters").pointer,
  };
  compareCall(comparison, operation, before, now);
  compareKeys(comparison, operation, {
    rules: operationRules,
    into: {
      servers: compareServers,
      requestBody: (_, pair) => comparison.as("send", () => compareBody(comparison, pair)),
      responses: (_, pair) => comparison.as("read", () => compareResponses(comparison, pair)),
    },
    // Parameters of the path count too, and security may be that of the whole document: both are compared below.
    skip: ["parameters", "security"],
  });
  const compareAll = (): void => comparison.as("send", () => compareParameters(comparison, before, now, nowhere));
  comparison.exhaust(
    childPair(path, "parameters"),
    () => comparison.exhaust(childPair(operation, "parameters"), compareAll, "rewritten"),
    "rewritten",
  );
  compareSecurity(comparison, {
    base: security(comparison.base, operation.base),
    revision: security(comparison.revision, operation.revision),
  });
}

/** What an operation asks for: its own list, or else that of the document. */
function security(document: Document, operation: Spot): Spot {
  const own = child(operation, "security");
  return own.value === undefined ? { value: document.at("/security").value, pointer: own.pointer } : own;
}

/** What a method takes after its path parameters, in this order. */
function takes(operation: Spot, all: Parameters): string[] {
  const body = child(operation, "requestBody").value !== undefined;
  const query = [...all.keys()].some((name) => name.startsWith("query "));
  return [...(body ? ["body"] : []), ...(query ? ["query"] : []), "options"];
}

/** A first query or body of a method pushes what stands behind it one place further. */
function compareCall(comparison: Comparison, pair: Pair, before: Parameters, now: Parameters): void {
  if (child(pair.revision, "x-client-method").value === undefined) return;
  const arguments_ = takes(pair.base, before);
  const moved = takes(pair.revision, now).filter(
    (name, index) => arguments_.includes(name) && arguments_[index] !== name,
  );
  if (moved.length === 0) return;
  comparison.report("arguments-moved", pair, `The method takes its ${moved.join(" and its ")} at another place.`);
}
