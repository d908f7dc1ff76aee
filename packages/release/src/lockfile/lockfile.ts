import { parse } from "yaml";
import { isObject } from "../lib/object.ts";

/** A package of a lockfile, with its platforms. */
export interface Locked {
  readonly name: string;
  readonly os: readonly string[];
  readonly cpu: readonly string[];
  readonly libc: readonly string[];
}

/** The platforms of a lockfile's packages. */
export interface Lockfile {
  readonly packages: readonly Locked[];
  /** For each package, as `name@version` with its peers, the names of its optional dependencies. */
  readonly optional: ReadonlyMap<string, readonly string[]>;
}

function membersOf(value: unknown): [string, Readonly<Record<string, unknown>>][] {
  return isObject(value) ? Object.entries(value).map(([key, member]) => [key, isObject(member) ? member : {}]) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Reads `pnpm-lock.yaml`, without the separate document for pnpm itself. */
export function readLockfile(text: string): Lockfile {
  const documents = text.split(/^---\n/m).map((part): unknown => parse(part));
  const root = documents.filter(isObject).find((document) => isObject(document["packages"]));
  if (root === undefined) throw new Error("pnpm-lock.yaml lists no packages.");
  const packages = membersOf(root["packages"]).map(([key, { os, cpu, libc }]) => ({
    name: key.slice(0, key.lastIndexOf("@")),
    os: textsOf(os),
    cpu: textsOf(cpu),
    libc: textsOf(libc),
  }));
  const optional = membersOf(root["snapshots"]).flatMap(([key, { optionalDependencies }]): [string, string[]][] =>
    isObject(optionalDependencies) ? [[key, Object.keys(optionalDependencies)]] : [],
  );
  return { packages, optional: new Map(optional) };
}
