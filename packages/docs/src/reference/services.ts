import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readReleases } from "@trainyard/codegen/releases";
import { isObject } from "@trainyard/core/validation";
import { markSince, readDocument, type Document } from "@trainyard/document";
import { root } from "../places.ts";

/** A service with its document. */
export interface Service {
  /** The name of the folder: `training`. */
  readonly name: string;
  readonly document: Document;
}

/** The document as its client package exports it. */
export interface ServiceFiles extends Service {
  readonly json: string;
  readonly yaml: string;
}

/** A service from the text of its bundle. `file` is named in the error if that is not a document. */
export function serviceOf(name: string, json: string, file: string): Service {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) throw new Error(`${file} is not an OpenAPI document: it does not contain an object.`);
  markSince(value, name, readReleases(root));
  return { name, document: readDocument(value) };
}

/** All services, in the order in which they are shown. */
export function services(): ServiceFiles[] {
  const files = globSync("packages/*/src/generated/openapi.json", { cwd: root });
  if (files.length === 0) throw new Error("There are no documents. Generate them with: npx -y pnpm@12 generate");
  const order = ["training", "inference", "auxiliary", "local"];
  // A service that is not in the list is last.
  const rank = ({ name }: Service): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return files
    .map((file): ServiceFiles => {
      const json = readFileSync(join(root, file), "utf8");
      const yaml = join(root, dirname(file), "openapi.yaml");
      const service = serviceOf(basename(dirname(dirname(dirname(file)))), json, file);
      return { ...service, json, yaml: existsSync(yaml) ? readFileSync(yaml, "utf8") : json };
    })
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
