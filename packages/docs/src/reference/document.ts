import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../places.ts";
import { isObject, objectAt, stringAt, type Json, type JsonObject } from "./json.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** A service's document, as its client package exports it. */
export interface Document {
  /** The folder's name: `training`. */
  readonly service: string;
  readonly title: string;
  readonly summary: string;
  readonly version: string;
  readonly json: string;
  readonly yaml: string;
  /** A copy of one's own, to be changed at will. */
  read(): JsonObject;
}

/** An operation of a document, with what the site says about it. */
export interface Operation {
  readonly service: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly verb: string;
  readonly path: string;
  readonly tag: string;
  readonly basis: string;
  /** `always`, `with-key` or `never`. */
  readonly resend: string;
  /** Seconds that one attempt may take. */
  readonly timeout: number;
  /** The method that people call; undefined for an alias. */
  readonly method: string | undefined;
  /** What stands behind the `#` of its place in the reference. */
  readonly anchor: string;
}

function parse(text: string, file: string): JsonObject {
  const value: Json = JSON.parse(text);
  if (!isObject(value)) throw new Error(`${file} is no document: it holds no object.`);
  return value;
}

/** The documents of all services, in the order in which they are shown. */
export function documents(): Document[] {
  const files = globSync("packages/*/src/generated/openapi.json", { cwd: root });
  if (files.length === 0) throw new Error("No client has a document. Make them with: npx -y pnpm@12 generate");
  const order = ["training", "inference", "auxiliary"];
  // One that is not among them comes behind.
  const rank = (service: string): number => (order.includes(service) ? order.indexOf(service) : order.length);
  return files
    .map((file): Document => {
      const json = readFileSync(join(root, file), "utf8");
      const yamlFile = join(root, dirname(file), "openapi.yaml");
      const info = objectAt(parse(json, file), "info");
      return {
        service: basename(dirname(dirname(dirname(file)))),
        title: stringAt(info, "title") ?? "",
        summary: stringAt(info, "summary") ?? "",
        version: stringAt(info, "version") ?? "",
        json,
        yaml: existsSync(yamlFile) ? readFileSync(yamlFile, "utf8") : json,
        read: () => parse(json, file),
      };
    })
    .toSorted((a, b) => rank(a.service) - rank(b.service) || a.service.localeCompare(b.service));
}

/** The operations of a document as objects that may be changed, in the document's order. */
export function* operationObjects(
  document: JsonObject,
): Generator<{ path: string; verb: string; operation: JsonObject }> {
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    if (!isObject(item)) continue;
    for (const verb of methods) {
      const operation = item[verb];
      if (isObject(operation)) yield { path, verb, operation };
    }
  }
}

/** The name of an operation in the reference's addresses: the method, or the id of an alias, which has none. */
export function anchorName(operation: JsonObject): string {
  return stringAt(operation, "x-client-method") ?? stringAt(operation, "operationId") ?? "";
}

/** What stands behind the `#` of an operation's place in its reference. Redoc writes its addresses in lower case. */
export function anchorOf(operation: JsonObject): string {
  const tags = operation["tags"];
  const tag = Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : "";
  return `/${tag}/${anchorName(operation)}`.toLowerCase();
}

/** All operations of a document. */
export function operationsOf(document: Document): Operation[] {
  const { service } = document;
  return [...operationObjects(document.read())].map(({ path, verb, operation }) => {
    const tags = operation["tags"];
    const tag = Array.isArray(tags) && typeof tags[0] === "string" ? tags[0] : "";
    return {
      service,
      id: stringAt(operation, "operationId") ?? "",
      summary: stringAt(operation, "summary") ?? "",
      description: stringAt(operation, "description") ?? "",
      verb: verb.toUpperCase(),
      path,
      tag,
      basis: stringAt(operation, "x-basis") ?? "",
      resend: stringAt(operation, "x-resend") ?? "never",
      timeout: typeof operation["x-timeout"] === "number" ? operation["x-timeout"] : 60,
      method: stringAt(operation, "x-client-method"),
      anchor: anchorOf(operation),
    };
  });
}
