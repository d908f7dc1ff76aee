/** The exports of the published packages with their doc comments, which are read from the source files. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "@trainyard/core/validation";
import { root } from "../places.ts";
import { firstSentence } from "./node.ts";

/** A name that a program imports. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  /** The first sentence of its doc comment; empty if it has none. */
  readonly text: string;
  /** Whether only generated code needs it. */
  readonly isInner: boolean;
}

/** An entry of a package: `@trainyard/training/rollouts`. */
export interface PackageEntry {
  readonly entry: string;
  readonly names: readonly ExportedName[];
}

/** In the order in which people need them. */
const packages = ["training", "inference", "auxiliary", "core", "mock", "server", "local"];
/** The files of the engine that generated code imports, and no program. */
const forGenerated =
  /core.src.(?:answer-readers|bodies|carrier|engine|http|join-lists|operation|styles|unlisted|validat\w+)\b/;

/** The entries of the packages that programs import. Generated code has other pages, and only `trainyard` imports commands. */
export function packageEntries(): PackageEntry[] {
  return packages.flatMap((name) => {
    const folder = join(root, "packages", name);
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const entries = isObject(manifest) && isObject(manifest["exports"]) ? Object.entries(manifest["exports"]) : [];
    return entries.flatMap(([path, target]): PackageEntry[] => {
      const source = isObject(target) ? target["@trainyard/source"] : undefined;
      if (
        typeof source !== "string" ||
        !source.endsWith(".ts") ||
        /generated|internal|inside|\/cli\/|\/command\.ts/.test(source)
      )
        return [];
      const names = [...namesOf(join(folder, source)).values()].toSorted(
        (a, b) => Number(a.isType) - Number(b.isType) || a.name.localeCompare(b.name),
      );
      return names.length === 0 ? [] : [{ entry: `@trainyard/${name}${path.slice(1)}`, names }];
    });
  });
}

/** The fragment of an exported name on the page of packages. */
export function exportId(entry: string, name: string): string {
  return `${entry.replace("@trainyard/", "").replaceAll("/", ".")}.${name}`;
}

function namesOf(file: string): Map<string, ExportedName> {
  const source = readFileSync(file, "utf8");
  const found = new Map<string, ExportedName>();
  for (const [, from = ""] of source.matchAll(/^export (?:type )?\* from "(\.[^"]+)";/gm)) {
    const next = join(dirname(file), from);
    if (!existsSync(next)) continue;
    for (const [name, one] of namesOf(next))
      if (!next.includes("generated") || /^create\w+Client$/.test(name)) found.set(name, one);
  }
  for (const [, type, list = "", from] of source.matchAll(/^export (type )?\{([^}]*)\}(?: from "(\.[^"]+)")?;/gm)) {
    const next = from === undefined ? file : join(dirname(file), from);
    for (const part of list.split(",").map((one) => one.trim())) {
      const [, isType, inner = "", outer = inner] = /^(type )?(\w+)(?: as (\w+))?$/.exec(part) ?? [];
      if (inner === "" || next.includes("generated")) continue;
      const text = commentOf(next, inner);
      const isInner = forGenerated.test(next);
      found.set(outer, { name: outer, isType: type !== undefined || isType !== undefined, text, isInner });
    }
  }
  for (const [, kind = "", name = ""] of source.matchAll(declaration)) {
    const isType = kind === "interface" || kind === "type";
    found.set(name, { name, isType, text: commentOf(file, name), isInner: forGenerated.test(file) });
  }
  return found;
}

const declaration = /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|interface|type) (\w+)/gm;

/** The first sentence of the comment above a declaration. For a re-export, that of the original declaration. */
function commentOf(file: string, name: string): string {
  if (!existsSync(file)) return "";
  const source = readFileSync(file, "utf8");
  const kinds = "(?:declare )?(?:abstract )?(?:async )?(?:function\\*?|class|const|interface|type)";
  const [, comment] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*(?:export )?${kinds} ${name}\\b`).exec(source) ?? [];
  if (comment !== undefined) {
    const text = comment.replaceAll(/^\s*\*? ?/gm, " ").replaceAll(/\{@link (\w+)\}/g, "`$1`");
    return firstSentence(
      text
        .split(/\s@\w+/)[0]
        ?.replaceAll(/\s+/g, " ")
        .trim() ?? "",
    );
  }
  const passed = new RegExp(`^export [^;]*\\b${name}\\b[^;]*from "(\\.[^"]+)";`, "m").exec(source)?.[1];
  return passed === undefined ? "" : commentOf(join(dirname(file), passed), name);
}
