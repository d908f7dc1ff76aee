import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { jsonOf, readDocument, type Document, type Operation } from "@trainyard/document";

/** A bundle as it is published: one file, with no other file of ours beside it. */
export interface Bundle {
  readonly service: string;
  readonly file: string;
  readonly document: Document;
}

/** The bundles of all services in the workspace. */
export function readBundles(root: string): Bundle[] {
  const found: Bundle[] = [];
  for (const service of readdirSync(join(root, "packages"))) {
    const file = join(root, "packages", service, "src/generated/openapi.json");
    if (!existsSync(file)) continue;
    found.push({ service, file, document: readDocument(JSON.parse(readFileSync(file, "utf8"))) });
  }
  return found;
}

/** The first example of an operation's body, or undefined if it has none. */
export function exampleBody({ body }: Operation): unknown {
  return body && jsonOf(body.content)?.examples.values().next().value;
}
