import { isWellFormed, joinPointer, memberAt, resolvePointer } from "@trainyard/core/validation";
import { everySchema } from "./every-schema.ts";
import { formats } from "./formats.ts";
import { operationKeys } from "./http-method.ts";
import { locate, locateAll, type Located } from "./locate.ts";
import type { Document } from "./read-document.ts";
import { unions } from "./schema/parts.ts";
import { shapeOf } from "./shape.ts";

/** A part of a document that cannot be served as it is written, and what to do. */
export interface Unsupported {
  readonly pointer: string;
  readonly message: string;
  readonly cure: string;
  /** Whether it is said only to who asks for every detail: the documents of most people have such parts. */
  readonly isDetail?: boolean;
}

/** The parts of a document that OpenAPI does not define, or that nothing here supports. */
export function unsupportedIn(document: Document): Unsupported[] {
  const { root, operations } = document;
  const parameters = new Map(
    operations.flatMap((one) => one.parameters.map((parameter) => [parameter.pointer, parameter])),
  );
  const ofParameters = [...parameters.values()].flatMap(({ name, in: place, node, style, schema, pointer }) => {
    const named = `The ${place} parameter ${name} has the style ${String(node["style"])}`;
    if (style === "label" || style === "matrix")
      return [{ pointer, message: `${named}, which is not supported.`, cure: "Use `simple`." }];
    if (node["style"] !== undefined && style !== "json" && node["style"] !== style)
      return [{ pointer, message: `${named}, which OpenAPI does not define in ${place}.`, cure: `Use \`${style}\`.` }];
    const deep = [...shapeOf(root, schema).properties].find(([, { types }]) => types.has("object"))?.[0];
    if (style !== "deepObject" || deep === undefined) return [];
    const message = `${named}, and OpenAPI does not define how that writes the object ${deep} within it.`;
    return [{ pointer, message, cure: "Use `content: application/json`." }];
  });
  const first = new Map<string, string>();
  const ofPaths = Object.keys(locate(root, "#/paths").node).flatMap((path) => {
    const pointer = joinPointer("#/paths", path);
    if (!path.startsWith("/")) return [];
    const alike = path.replaceAll(/\{[^{}]+\}/g, "{}");
    const other = first.get(alike);
    if (other === undefined) return first.set(alike, path) && [];
    const message = `The paths ${other} and ${path} differ only in the names of their parameters.`;
    return [{ pointer, message, cure: "Move the operations of one to the other." }];
  });
  return [...ofParameters, ...unreadIn(document), ...ofPaths, ...ignoredIn(document)];
}

/** What a path item has beside operations. `servers` are looked at with those of the operations. */
const besideOperations = /^(?:\$ref|summary|description|servers|parameters|x-.*)$/;

/** The paths, operations, bodies and addresses of a document that nothing reads. */
export function unreadIn({ root, operations }: Document): Unsupported[] {
  const { servers } = locate(root, "#").node;
  const ofServers = ({ node, pointer }: Located, name: string): Unsupported[] => {
    if (node["servers"] === undefined || JSON.stringify(node["servers"]) === JSON.stringify(servers)) return [];
    const message = `${name} has \`servers\` of its own, which are ignored: its requests go to the address of the others.`;
    const cure = "Move what has another address to a document of its own.";
    return [{ pointer: joinPointer(pointer, "servers"), message, cure }];
  };
  const ofBodies = operations.flatMap(({ name, method, node, pointer, body }) => {
    if (node["requestBody"] === undefined || body !== undefined) return [];
    const message = `${name} declares a body for ${method}, which HTTP does not define and \`fetch\` does not send.`;
    return [{ pointer: joinPointer(pointer, "requestBody"), message, cure: "Use parameters, or another method." }];
  });
  const ofOperations = operations.flatMap((one) => ofServers(one, one.name));
  const paths = locateAll(root, locate(root, "#"), "paths").filter(([path]) => !path.startsWith("x-"));
  const ofPaths = paths.flatMap(([path, { node, pointer }]): Unsupported[] => {
    if (!path.startsWith("/")) {
      const message = `The path ${path} does not begin with a slash, as OpenAPI requires, and is ignored.`;
      return [{ pointer: joinPointer("#/paths", path), message, cure: "Add the slash." }];
    }
    const read: readonly string[] = operationKeys(node);
    const others = Object.keys(node).filter((key) => !read.includes(key) && !besideOperations.test(key));
    const ofOthers = others.map((key) => ({
      pointer: joinPointer(pointer, key),
      message: `\`${key}\` of ${path} is no operation of OpenAPI, and is ignored.`,
      cure: "Correct it: methods are in lower case, and their operations are objects. OpenAPI 3.2 has `additionalOperations`.",
    }));
    return [...ofServers({ node, pointer }, path), ...ofOthers];
  });
  return [...ofPaths, ...ofOperations, ...ofBodies];
}

/** The keywords that validators ignore, each with its first place and the number of places. */
function ignoredIn(document: Document): Unsupported[] {
  const found = new Map<string, Unsupported & { readonly places: number }>();
  const add = (pointer: string, message: string, cure: string, more: Pick<Unsupported, "isDetail"> = {}): void => {
    const first = found.get(message) ?? { pointer, message, cure, ...more, places: 0 };
    found.set(message, { ...first, places: first.places + 1 });
  };
  for (const { node, pointer } of everySchema(document)) {
    for (const [tag, target] of Object.entries(Object(memberAt(node, ["discriminator", "mapping"])))) {
      if (!String(target).startsWith("#/")) continue;
      const at = joinPointer(pointer, "discriminator", "mapping", tag);
      const leads = `The discriminator's value ${tag} leads to ${String(target)}`;
      const members = unions.flatMap((key) => node[key] ?? []).map((member) => Object(member)["$ref"]);
      if (resolvePointer(document.root, String(target)) === undefined)
        add(at, `${leads}, which does not exist`, "Correct it, or add what it names.");
      else if (members.length > 0 && !members.includes(target))
        add(at, `${leads}, which is no member of the union`, "Correct it, or add the member.");
    }
    for (const [key, value] of Object.entries(node)) {
      const text = (): string => `\`${key}: ${JSON.stringify(value)?.slice(0, 60)}\``;
      if (
        key === "$ref" &&
        String(value).startsWith("#/") &&
        resolvePointer(document.root, String(value)) === undefined
      )
        add(joinPointer(pointer, key), `${text()} leads to nothing, and is ignored`, "Correct it.");
      else if (!isWellFormed(key, value))
        add(joinPointer(pointer, key), `${text()} is not what JSON Schema permits, and is ignored`, "Correct it.");
      else if (key === "format" && !Object.hasOwn(formats, String(value)))
        add(
          joinPointer(pointer, key),
          `${text()} is not validated`,
          `Add ${isNumber(node["type"]) ? "a `minimum` and a `maximum`" : "a `pattern`"} if values must be checked.`,
          { isDetail: true },
        );
    }
  }
  return [...found.values()].map(({ places, ...one }) => ({
    ...one,
    message: `${one.message} (${places === 1 ? "1 place" : `${places} places`}).`,
  }));
}

/** Whether a type permits numbers, and no texts. */
function isNumber(type: unknown): boolean {
  const types = new Set<unknown>([type].flat());
  return !types.has("string") && (types.has("integer") || types.has("number"));
}
