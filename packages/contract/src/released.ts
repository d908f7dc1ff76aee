import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseFile } from "@trainyard/document/files";
import { type Document, toDocument } from "./document.ts";

/** The services that were released and have no document any more. */
export function goneServices(root: string): string[] {
  const folder = join(root, "openapi/released");
  const released = existsSync(folder) ? readdirSync(folder).map((file) => basename(file, ".json")) : [];
  return released.filter((service) => !existsSync(join(root, "openapi", service, "openapi.yaml"))).toSorted();
}

/** The folder where a release stores the bundle of a service, so that comparisons need no tag. */
export function releasedFile(service: string): string {
  return `openapi/released/${service}.json`;
}

/** The last released document of a service; undefined before its first release. */
export function readReleased(root: string, service: string): Document | undefined {
  const file = releasedFile(service);
  return existsSync(join(root, file)) ? toDocument(service, parseFile(root, file)) : undefined;
}
