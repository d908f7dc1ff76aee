import {
  operationKeys,
  type DocumentNode,
  child,
  children,
  reach,
  references,
  allowed,
  isOpen,
  schemaView,
} from "@trainyard/document";
import { type Document } from "../document.ts";
import { isObject, joinPointer as join, pointerTokens as tokens } from "@trainyard/core/validation";

/** One line of the program. `Base.Sent.User` in it is the type of a User in requests, which may be `Base.UserWrite`. */
export interface Probe {
  readonly line: string;
  /** What it compiles, in words. */
  readonly about: string;
  /** The operation that it calls, or the schema that it uses. */
  readonly operation?: string;
  readonly schema?: string;
}

/** The schemas of these names, and all that they refer to. */
export function closure(document: Document, names: readonly string[]): ReadonlySet<string> {
  return new Set(reach(names, (name) => schemasIn(document, join("/components/schemas", name))));
}

/** Schemas that something refers to, including through shared parameters and responses. */
function schemasIn(document: Document, pointer: string): string[] {
  return references(document.at(pointer).value).flatMap((target) => {
    const [, section, name = ""] = tokens(target);
    return section === "schemas" ? [name] : schemasIn(document, target);
  });
}

/** Everything that callers could write against a document's client: one line for each schema, operation and direction. */
export function probes(base: Document, revision: Document): Probe[] {
  const [before, now] = [travels(base), travels(revision)];
  // A schema that is no longer used in a direction is not broken by the change that removed it there.
  const kept = (role: Role): string[] => [...before[role]].filter((name) => now[role].has(name));
  return [
    ...before.methods.flatMap(callProbes),
    ...kept("send").flatMap((name) => schemaProbes(base, name, "send")),
    ...kept("read").flatMap((name) => [...schemaProbes(base, name, "read"), ...literalProbes(base, name)]),
  ];
}

type Role = "send" | "read";

/** The methods of a document, and the schemas of each direction. */
function travels(document: Document): Record<Role, ReadonlySet<string>> & { readonly methods: readonly string[] } {
  const sent: string[] = [];
  const read: string[] = [];
  const found: string[] = [];
  for (const [path, item] of children(document.at("/paths"))) {
    sent.push(...schemasIn(document, join("/paths", path, "parameters")));
    for (const method of operationKeys(item.value)) {
      const operation = child(item, method);
      sent.push(...["requestBody", "parameters"].flatMap((key) => schemasIn(document, child(operation, key).pointer)));
      read.push(...schemasIn(document, child(operation, "responses").pointer));
      const name = child(operation, "x-client-method").value;
      if (typeof name === "string") found.push(name);
    }
  }
  return { methods: found, send: closure(document, sent), read: closure(document, read) };
}

function callProbes(operation: string): Probe[] {
  const member = operation.replaceAll(/([^.]+)\.?/g, '["$1"]');
  const [base, now] = [`Base.Client${member}`, `Now.Client${member}`];
  const answer = (method: string): string => `Awaited<ReturnType<${method}>>`;
  return [
    {
      operation,
      about: `A call of ${operation}`,
      line: `(client: Now.Client, ...args: Parameters<${base}>) => client${member}(...args)`,
    },
    { operation, about: `The answer of ${operation}`, line: `(answer: ${answer(now)}): ${answer(base)} => answer` },
  ];
}

function schemaProbes(base: Document, schema: string, role: "send" | "read"): Probe[] {
  const [from, to] = role === "send" ? ["Base", "Now"] : ["Now", "Base"];
  const about = `A ${schema} that is ${role === "send" ? "sent" : "read"}`;
  const name = role === "send" ? `Sent.${schema}` : schema;
  const fits = { schema, about, line: `(value: ${from}.${name}): ${to}.${name} => value` };
  // A removed property leaves the rest assignable. Of a union, only the keys that all variants share are accessible.
  const keys = { schema, about, line: `(key: Keys<Base.${name}>): Keys<Now.${name}> => key` };
  const isObject = base.at(join("/components/schemas", schema, "properties")).value !== undefined;
  return isObject ? [fits, keys] : [fits];
}

/** A comparison with each listed value of a property in a response: the `case` of a consumer. */
function literalProbes(base: Document, schema: string): Probe[] {
  const { keys, properties, union } = schemaView(base.root, base.at(join("/components/schemas", schema)));
  const tag = keys.get("discriminator")?.value;
  const tagName = isObject(tag) && typeof tag["propertyName"] === "string" ? tag["propertyName"] : undefined;
  const tags = (union?.variants ?? []).flatMap((variant): [string, DocumentNode][] => {
    const node = tagName === undefined ? undefined : schemaView(base.root, variant).properties.get(tagName);
    return node === undefined || tagName === undefined || isOpen({ keys }) ? [] : [[tagName, node]];
  });
  return [...properties, ...tags].flatMap(([name, node]) => {
    const own = schemaView(base.root, node);
    // Types of an open set have one member that represents all unlisted values.
    if (isOpen(own)) return [];
    const literals = (allowed(own.keys) ?? []).filter((value) => typeof value === "string");
    return literals.map((literal): Probe => {
      const value = `Listed<Now.${schema}, ${JSON.stringify(name)}>`;
      return {
        schema,
        about: `A ${schema} that is read`,
        line: `(value: ${value}): boolean => value === ${JSON.stringify(literal)}`,
      };
    });
  });
}
