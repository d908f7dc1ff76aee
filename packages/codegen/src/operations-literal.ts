import { acceptOf, defaultTimeout, joinedLists } from "@trainyard/document";
import { compare } from "./canonical.ts";
import { propertyName } from "./names.ts";
import type { OperationInfo } from "./operation-info.ts";
import { successOf } from "./operation-media.ts";

/** Writes the table of operations for the engine, middleware, mock, server and site. */
export function operationsLiteral(operations: readonly OperationInfo[]): string {
  const rows = operations
    .toSorted((a, b) => compare(a.name, b.name))
    .map((operation) => `  ${JSON.stringify(operation.name)}: ${literal(row(operation))},\n`);
  return `/** The operations by name, with what the engine needs for each. */\nexport const operations = {\n${rows.join("")}} as const;\n`;
}

function row(operation: OperationInfo): Record<string, unknown> {
  const { method, path, aliases, resend, timeout, security, keyed, optionHeaders, page, stream } = operation;
  const fill = Object.fromEntries(Object.entries(optionHeaders).map(([option, { header }]) => [header, option]));
  const joined = joinedLists(operation.operation);
  const accept = acceptOf(successOf(operation.operation)?.content ?? new Map());
  return {
    method: method.toUpperCase(),
    path,
    ...(aliases.length > 0 && { aliases }),
    resend,
    ...(timeout !== defaultTimeout && { timeout }),
    ...(security.length > 0 && { security: security.map((schemes) => schemes.map(({ name }) => name)) }),
    ...(keyed && { keyed }),
    ...(Object.keys(fill).length > 0 && { fill }),
    ...(joined.length > 0 && { joined }),
    ...(page && { page: { cursor: page.cursor, item: page.item, more: page.more } }),
    ...(accept !== undefined && { accept }),
    ...(stream && { stream: { toggle: stream.toggle, end: stream.end } }),
    ...(operation.operation.deprecated && { deprecated: true }),
  };
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${propertyName(key)}: ${literal(member)}`);
  return `{ ${members.join(", ")} }`;
}
