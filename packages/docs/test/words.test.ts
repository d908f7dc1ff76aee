import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, site } from "../src/places.ts";
import { isObject } from "@trainyard/core/validation";

const guides = globSync("src/content/docs/**/*.{md,mdx}", { cwd: site }).toSorted();
const read = (guide: string): string => readFileSync(join(site, guide), "utf8");

it("every command that a guide names is there", () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const scripts = keysOf(manifest, "scripts");
  const named = guides.flatMap((guide) =>
    [...read(guide).matchAll(/(?:`|^ *|npx -y )pnpm(?:@12)? ([a-z][\w:-]*)/gm)].map(
      ([, script]) => `${guide}: ${script}`,
    ),
  );
  const known = new Set([...scripts, "exec"]);
  expect(named.filter((line) => !known.has(line.split(": ")[1] ?? ""))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

it("every package and export that a guide names is there", () => {
  // A decision is never rewritten, and may name what another has replaced.
  const current = guides.filter((guide) => !guide.includes("/decisions/"));
  const missing = current.flatMap((guide) =>
    [...read(guide).matchAll(/@trainyard\/(?!source|samples)([a-z]+)((?:\/[a-z.]+)*)/g)]
      .filter(([, name = "", path = ""]) => !exportsOf(name).includes(`.${path}`))
      .map(([named]) => `${guide}: ${named}`),
  );
  expect(missing).toEqual([]);
});

function exportsOf(name: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return keysOf(manifest, "exports");
}

function keysOf(holder: unknown, key: string): string[] {
  const value = isObject(holder) ? holder[key] : undefined;
  return isObject(value) ? Object.keys(value) : [];
}

it("every guide of the site's list is there, with a description", () => {
  expect(guides.filter((guide) => !/^---\ntitle: .+\ndescription: .+\n/.test(read(guide)))).toEqual([]);
});

it("no page says what is not to be said", () => {
  const avoided = /\b(SDK|spec file|sandbox|emulator|stub|fake)\b/i;
  expect(guides.filter((guide) => avoided.test(read(guide)))).toEqual([]);
});
