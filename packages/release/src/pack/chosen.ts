import { nearest } from "@trainyard/document";
import { needs } from "../lib/workspace.ts";
import type { Packed } from "./pack.ts";

/**
 * The packages with these names, and all that they need, which come first.
 * @throws Error if there is no such package
 */
export function chosen<One extends Pick<Packed, "name" | "manifest">>(
  names: readonly string[],
  all: readonly One[],
): One[] {
  const found = new Set<One>();
  const seen = new Set<One>();
  const short = (name: string): string => name.replace("@trainyard/", "");
  const visit = (one: One): void => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const name of Object.keys(needs(one.manifest))) {
      const needed = all.find((other) => other.name === name);
      if (needed) visit(needed);
    }
    found.add(one);
  };
  for (const name of names) {
    const one = all.find((other) => short(other.name) === short(name));
    if (one === undefined) {
      const shorts = all.map((other) => short(other.name));
      const meant = nearest(short(name), shorts);
      const cure = meant === undefined ? `There are: ${shorts.join(", ")}.` : `Did you mean ${meant}?`;
      throw new Error(`There is no package ${name}. ${cure}`);
    }
    visit(one);
  }
  return [...found];
}
