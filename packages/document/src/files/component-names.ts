import { basename, dirname, extname, relative, sep } from "node:path";
import { joinPointer, pointerTokens } from "@trainyard/core/validation";
import { pascalCase, type DerivedFact } from "../index.ts";
import type { OpenApiDocument } from "./document.ts";
import { renameComponents } from "./rename-components.ts";

interface Component {
  readonly pointer: string;
  /** The path of its file from the root, and the pointer in it. */
  readonly address: string;
  /** Its own name, behind those of what contains it: folders, and its file if it is a part of one. */
  readonly path: readonly string[];
}

/**
 * Names the components that come from files of one name: the name of its folder stands in front of each. Folders further out
 * follow as long as names are equal. No name depends on the order of the references.
 *
 * @param files pairs of the pointer of a component and the address of its value
 * @returns the components that have another name than their file
 */
export function nameComponents(
  bundle: OpenApiDocument,
  files: readonly (readonly [pointer: unknown, address: string])[],
  { root, source }: { readonly root: string; readonly source: string },
): { document: OpenApiDocument; derived: DerivedFact[] } {
  const alike = new Map<string, Component[]>();
  const pointers = new Set<unknown>();
  for (const [pointer, target] of files) {
    if (typeof pointer !== "string" || pointers.has(pointer)) continue;
    pointers.add(pointer);
    const component = componentOf(pointer, target, root);
    const [, section = ""] = pointerTokens(pointer);
    // The document's own components keep their names.
    if (component.address.startsWith(`${source}#`)) continue;
    const stem = joinPointer("#/components", section, component.path.at(-1) ?? "");
    alike.set(stem, [...(alike.get(stem) ?? []), component]);
  }
  const names = new Map<string, string>();
  const derived: DerivedFact[] = [];
  for (const [stem, components] of alike) {
    const [, section = "", name = ""] = pointerTokens(stem);
    const members: object = bundle.components?.[section] ?? {};
    const isOwn = Object.hasOwn(members, name) && !components.some(({ pointer }) => pointer === stem);
    if (components.length < 2 && !isOwn) continue;
    const sorted = components.toSorted((a, b) => (a.address < b.address ? -1 : 1));
    const own = namesOf(sorted, new Set(Object.keys(members)));
    for (const [index, { pointer, address }] of sorted.entries()) {
      names.set(pointer, own[index] ?? name);
      const reason = `component from folder and file, because two files would both be ${name}`;
      derived.push({ name: own[index] ?? name, place: address.replace(/#\/$/, ""), reasons: [reason] });
    }
  }
  return { document: names.size === 0 ? bundle : renameComponents(bundle, names), derived };
}

function componentOf(pointer: string, target: string, root: string): Component {
  const [file = "", fragment = ""] = target.split(/(?=#)/);
  const path = relative(root, file).split(sep).join("/");
  const folders = dirname(path)
    .split("/")
    .filter((folder) => folder !== "." && folder !== "..");
  return {
    pointer,
    address: `${path}${fragment}`,
    path: [...folders, basename(path, extname(path)), ...pointerTokens(fragment).filter((token) => token !== "")],
  };
}

/** Names of their own: as many parts in front as make them differ, and numbers if nothing does. */
function namesOf(components: readonly Component[], taken: ReadonlySet<string>): string[] {
  const longest = Math.max(...components.map(({ path }) => path.length));
  for (let parts = 2; parts <= longest; parts++) {
    const names = components.map(({ path }) => pascalCase(path.slice(-parts).join(" ")));
    if (new Set(names).size === names.length && !names.some((name) => taken.has(name))) return names;
  }
  return components.map(({ path }, index) => `${pascalCase(path.join(" "))}${index + 1}`);
}
