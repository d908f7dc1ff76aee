/** Functions to traverse a document that is split over files. */
import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect, httpMethods } from "@trainyard/document";
import { isReference, listOf, member, nodeOf } from "./node.ts";
import type { Context, Place, Rule } from "./redocly.ts";

/** An object and its location, with references resolved. */
export interface Found {
  readonly node: JsonObject;
  readonly location: Place;
}

export interface Operation extends Found {
  readonly path: string;
  /** In lower case, as in the document. */
  readonly method: string;
  /** Its parameters and those of its path, with references resolved. */
  readonly parameters: readonly Found[];
}

/** One body of a request or a response. */
export interface Content extends Found {
  readonly mediaType: string;
  /** The part of the operation, for messages: `request` or `response 200`. */
  readonly of: string;
}

/** The object at a location, or the target of its `$ref`; undefined if there is none, or if it is not an object. */
export function follow(value: unknown, location: Place, context: Context): Found | undefined {
  if (!isReference(value)) return isObject(value) ? { node: value, location } : undefined;
  const target = context.resolve(value, location.source.absoluteRef);
  return isObject(target.node) && target.location ? { node: target.node, location: target.location } : undefined;
}

/** {@link follow} for a member of an object. */
export function followMember(from: Found, key: string, context: Context): Found | undefined {
  return follow(member(from.node, key), from.location.child(key), context);
}

/** The members of a map in an object, with references resolved: responses, headers, properties, content. */
export function followAll(from: Found, key: string, context: Context): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const [name, value] of Object.entries(nodeOf(member(from.node, key)))) {
    const target = follow(value, from.location.child([key, name]), context);
    if (target) found.set(name, target);
  }
  return found;
}

/** The members of a list in an object, with references resolved. */
export function followList(from: Found, key: string, context: Context): Found[] {
  return listOf(member(from.node, key)).flatMap(
    (value, index) => follow(value, from.location.child([key, index]), context) ?? [],
  );
}

/** Every operation of a document, in order. Call it with the arguments of a `Root` visitor. */
export function operationsOf(root: unknown, context: Context): Operation[] {
  const document: Found = { node: nodeOf(root), location: context.location };
  return [...followAll(document, "paths", context)].flatMap(([path, item]) =>
    operationsIn(item, context).map(([method, operation]) => {
      const parameters = [item, operation].flatMap((holder) => followList(holder, "parameters", context));
      const { node, location } = operation;
      return { node, location, path, method, parameters };
    }),
  );
}

/** The operations of a path item by their methods, also those of `additionalOperations`. */
function operationsIn(item: Found, context: Context): [method: string, operation: Found][] {
  const named = httpMethods.flatMap((method): [string, Found][] => {
    const operation = followMember(item, method, context);
    return operation ? [[method, operation]] : [];
  });
  return [...named, ...followAll(item, "additionalOperations", context)];
}

/** A rule that judges each operation by itself; `root` is the document. */
export function eachOperation(judge: (operation: Operation, context: Context, root: JsonObject) => void): Rule {
  return () => ({
    Root(root, context) {
      for (const operation of operationsOf(root, context)) judge(operation, context, nodeOf(root));
    },
  });
}

/** The bodies of an operation: of its request and each response, by media type. */
export function contentsOf(operation: Operation, context: Context): Content[] {
  const request = followMember(operation, "requestBody", context);
  const holders: [string, Found][] = request ? [["request", request]] : [];
  for (const [status, response] of followAll(operation, "responses", context)) {
    holders.push([`response ${status}`, response]);
  }
  return holders.flatMap(([of, holder]) =>
    [...followAll(holder, "content", context)].map(([mediaType, { node, location }]) => ({
      node,
      location,
      mediaType,
      of,
    })),
  );
}

/** The schema of the JSON that an operation is sent; undefined if there is none. */
export function requestSchemaOf(operation: Operation, context: Context): Found | undefined {
  const body = contentsOf(operation, context).find(
    ({ of, mediaType }) => of === "request" && mediaType === "application/json",
  );
  return body && followMember(body, "schema", context);
}

/** Whether the operation is an alias. */
export function isAlias(operation: Found): boolean {
  return Object.hasOwn(operation.node, dialect.aliasOf.key);
}

/** The name of an operation in messages: `POST /v1/health`. */
export function nameOf(operation: Operation): string {
  return `${operation.method.toUpperCase()} ${operation.path}`;
}
