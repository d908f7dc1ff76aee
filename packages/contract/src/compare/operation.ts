import { dialect, type DocumentNode, child } from "@trainyard/document";
import { sides, type Comparison, type Pair } from "../comparison.ts";
import { type Document } from "../document.ts";
import { annotations } from "./annotations.ts";
import { compareCallbacks } from "./callbacks.ts";
import { type Rules, childPair, compareKeys, passage } from "./keys.ts";
import { type Parameters, compareParameters, parameters } from "./parameter.ts";
import { compareBody, compareResponses } from "./response.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

type Sides = Readonly<Record<"path" | "operation", Pair>>;

/** The keys of an operation outside its request and responses. */
const rules: Rules = {
  ...annotations,
  tags: passage("`tags`", "tag-changed"),
  summary: passage("`summary`", "description-changed"),
  operationId: passage("The operation id", "operation-id-changed"),
};

/** Compares an operation that both documents have. */
export function compareOperation(comparison: Comparison, { path, operation }: Sides): void {
  const before = parameters(comparison.base, path.base, operation.base);
  const now = parameters(comparison.revision, path.revision, operation.revision);
  const nowhere = childPair(operation, "parameters");
  compareCall(comparison, operation, before, now);
  compareKeys(comparison, operation, {
    rules,
    into: {
      requestBody: (_, pair) => comparison.as("send", () => compareBody(comparison, pair)),
      responses: (_, pair) => comparison.as("read", () => compareResponses(comparison, pair)),
      callbacks: compareCallbacks,
    },
    // Parameters of the path count too, and security and servers may be inherited: all are compared below.
    skip: ["parameters", "security", "servers"],
  });
  const both: [key: string, compare: () => void][] = [
    ["parameters", () => comparison.as("send", () => compareParameters(comparison, before, now, nowhere))],
    ["servers", () => compareOwnServers(comparison, { path, operation })],
  ];
  for (const [key, compare] of both) {
    const compareOwn = (): void => comparison.exhaust(childPair(operation, key), compare, "rewritten");
    comparison.exhaust(childPair(path, key), compareOwn, "rewritten");
  }
  compareSecurity(
    comparison,
    sides((side) => security(comparison[side], operation[side])),
  );
}

/** The addresses of an operation on both sides: its own, or else those of its path or of the document. */
function compareOwnServers(comparison: Comparison, { path, operation }: Sides): void {
  const own = sides((side) =>
    [path[side], operation[side]].map((node) => child(node, "servers")).findLast(({ value }) => value !== undefined),
  );
  // If neither side has its own list, the comparison of the document covers it.
  if (own.base === undefined && own.revision === undefined) return;
  const listed = sides((side) => ({
    value: (own[side] ?? comparison[side].at("/servers")).value,
    pointer: (own[side] ?? child(operation[side], "servers")).pointer,
  }));
  compareServers(comparison, listed);
}

/** The security of an operation: its own list, or else that of the document. */
function security(document: Document, operation: DocumentNode): DocumentNode {
  const own = child(operation, "security");
  return own.value === undefined ? { value: document.at("/security").value, pointer: own.pointer } : own;
}

/**
 * The arguments of a method after its path parameters, in order. An optional query is among the options, except for pages.
 */
function takes(operation: DocumentNode, all: Parameters): string[] {
  const body = child(operation, "requestBody").value !== undefined;
  const queries = [...all].filter(([name]) => name.startsWith("query "));
  const isPage = child(operation, dialect.pagination.key).value !== undefined;
  const query = queries.length > 0 && (isPage || queries.some(([, node]) => child(node, "required").value === true));
  return [...(body ? ["body"] : []), ...(query ? ["query"] : []), "options"];
}

/** A new first query or body of a method moves the arguments after it. */
function compareCall(comparison: Comparison, pair: Pair, before: Parameters, now: Parameters): void {
  if (child(pair.revision, "x-client-method").value === undefined) return;
  const arguments_ = takes(pair.base, before);
  const moved = takes(pair.revision, now).filter(
    (name, index) => arguments_.includes(name) && arguments_[index] !== name,
  );
  if (moved.length === 0) return;
  comparison.report("arguments-moved", pair, `The method takes its ${moved.join(" and its ")} at another position.`);
}
