import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { readOperations, type DocumentOperation } from "@trainyard/front";
import { isObject, resolvePointer } from "@trainyard/core/validation";

/** A bundle as anyone gets it: one file, and nothing of ours beside it. */
export interface Bundle {
  readonly service: string;
  readonly file: string;
  readonly document: object;
  readonly operations: readonly DocumentOperation[];
}

/** The bundles of all services in the workspace. */
export function readBundles(root: string): Bundle[] {
  const found: Bundle[] = [];
  for (const service of readdirSync(join(root, "packages"))) {
    const file = join(root, "packages", service, "src/generated/openapi.json");
    if (!existsSync(file)) continue;
    const document: object = JSON.parse(readFileSync(file, "utf8"));
    found.push({ service, file, document, operations: readOperations(document) });
  }
  return found;
}

/** The first example of an operation's body, or nothing where it takes none. */
export function exampleBody(document: object, { body }: DocumentOperation): unknown {
  const examples = follow(document, body?.schemaPointer.replace(/\/schema$/, "/examples"));
  const [name] = isObject(examples) ? Object.keys(examples) : [];
  const example = name === undefined ? undefined : follow(document, isObject(examples) ? examples[name] : undefined);
  return isObject(example) ? example["value"] : undefined;
}

/** What stands at a pointer, or behind a reference. */
function follow(document: object, place: unknown): unknown {
  if (typeof place === "string") return follow(document, resolvePointer(document, place));
  return isObject(place) && typeof place["$ref"] === "string" ? follow(document, place["$ref"]) : place;
}
