import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Release } from "@trainyard/document";
import { type Document, toDocument } from "./document.ts";
import { Failure } from "./failure.ts";

/** The table of client and contract versions, which the site shows. */
export const tableFile = "openapi/releases.json";

/** All releases, newest first; empty before the first one. @throws {@link Failure} if the file is invalid. */
export function readReleases(root: string): Release[] {
  const file = join(root, tableFile);
  if (!existsSync(file)) return [];
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (Array.isArray(value) && value.every(isRelease)) return value;
  throw new Failure(
    `${tableFile} is not a list of releases. Restore it from git: only \`pnpm release version\` writes it.`,
  );
}

function isRelease(value: unknown): value is Release {
  if (typeof value !== "object" || value === null) return false;
  const { version, date, contract }: Partial<Record<keyof Release, unknown>> = value;
  return typeof version === "string" && typeof date === "string" && typeof contract === "object" && contract !== null;
}

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
  const file = join(root, releasedFile(service));
  return existsSync(file) ? toDocument(service, JSON.parse(readFileSync(file, "utf8"))) : undefined;
}
