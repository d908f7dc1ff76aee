import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { root, site } from "../src/places.ts";
import { variableName } from "@trainyard/document";
import { services } from "../src/reference/services.ts";
import { memberAt } from "@trainyard/core/validation";

const { proofs }: { proofs: object } = await import(pathToFileURL(join(root, "scripts/proofs.ts")).href);
const guides = globSync("src/content/docs/**/*.{md,mdx}", { cwd: site }).toSorted();
const read = (guide: string): string => readFileSync(join(site, guide), "utf8");

it("every command in a guide exists", () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const parts = new Map(
    ["contract", "bench", "release", "docs"].map((script) => {
      const [, file = ""] = /(\S+\.ts)$/.exec(scripts[script] ?? "") ?? [];
      const options = { cwd: root, encoding: "utf8" } as const;
      const help = execFileSync(process.execPath, ["--conditions=@trainyard/source", file, "--help"], options);
      return [script, new Set([...help.matchAll(/^ {2}pnpm (?:run )?\S+ (\S+)/gm)].map(([, part]) => part))];
    }),
  );
  const named = guides.flatMap((guide) =>
    [
      ...read(guide).matchAll(/(?:`|^ *|npx -y )pnpm(?:@12)? (?:run )?([a-z][\w:-]*)(?: ([a-z][\w-]*)(?=[`\s]))?/gm),
    ].map(([, script = "", part]) => ({ guide, script, part })),
  );
  // `exec` and `install` are commands of pnpm itself.
  const known = new Set([...Object.keys(scripts), "exec", "install"]);
  // If a script has parts, the next word must be one of them.
  const isThere = (script: string, part: string | undefined) =>
    known.has(script) && (part === undefined || (parts.get(script)?.has(part) ?? true));
  expect(named.filter(({ script, part }) => !isThere(script, part))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

it("every proof that a page names exists", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", ...globSync("packages/*/README.md", { cwd: root })];
  const texts = [...pages.map((page) => readFileSync(join(root, page), "utf8")), ...guides.map(read)];
  const named = texts.flatMap((text) =>
    [...text.matchAll(/vitest run --project ([\w-]+)/g)].map(([, name = ""]) => name),
  );
  const projects = new Set([...Object.keys(proofs), ...readdirSync(join(root, "packages"))]);
  expect(named.filter((name) => !projects.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

it("the guide to feedback statistics names every aggregation of the contract, and no other", () => {
  const auxiliary = services().find(({ name }) => name === "auxiliary")?.document;
  const metric = auxiliary?.schemas.get("Metric")?.node;
  const names = memberAt(metric, ["properties", "aggregations", "items", "enum"]);
  const [, table = ""] = read("src/content/docs/guides/feedback-statistics.mdx").split("| `aggregations`");
  const [rows = ""] = table.split("\n\n");
  const named = [...rows.matchAll(/^\|[^|]+\|[^|]+\|([^|]+)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set(Array.isArray(names) ? names : []));
});

/** The credentials of a document. Basic authentication is another form of the API key. */
const credentialsOf = ({ document }: ReturnType<typeof services>[number]): string[] => [
  ...new Set(
    document.operations.flatMap(({ security }) =>
      security.flat().flatMap((scheme) => (scheme.name === "basicKey" ? [] : scheme.name)),
    ),
  ),
];

it("the README of each client names the variable of each credential that its document declares", () => {
  const missing = services().flatMap((service) => {
    const file = `packages/${service.name}/README.md`;
    const readme = readFileSync(join(root, file), "utf8");
    return credentialsOf(service)
      .map((scheme) => variableName("TRAINYARD", scheme))
      .filter((variable) => !readme.includes(variable))
      .map((variable) => `${file} does not name ${variable}`);
  });
  expect(missing).toEqual([]);
});

it.each([
  ["packages/docs/src/content/docs/guides/authentication.mdx", (name: string) => `<${name.replace("TRAINYARD_", "")}>`],
  ["packages/docs/src/content/docs/guides/verify.mdx", (name: string) => name],
  ["packages/samples/programs/authentication.ts", (name: string) => name],
  ["packages/live/src/call/command.ts", (name: string) => name],
  ["packages/live/src/verify/command.ts", (name: string) => name],
])("%s names each credential of the platform", (file, form) => {
  const text = readFileSync(join(root, file), "utf8");
  // The control key belongs to the local server alone.
  const platform = services().filter(({ name }) => name !== "local");
  const names = new Set(platform.flatMap(credentialsOf).map((scheme) => form(variableName("TRAINYARD", scheme))));
  expect([...names].filter((name) => !text.includes(name))).toEqual([]);
  expect(names.size).toBeGreaterThan(1);
});

it("every package and export in a guide exists", () => {
  // The content of a decision is not changed, so it may name something that was replaced later.
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
  return Object.keys(Object(memberAt(holder, [key])));
}

it("every guide has a title and a description", () => {
  expect(guides.filter((guide) => !/^---\ntitle: .+\ndescription: .+\n/.test(read(guide)))).toEqual([]);
});

it("no page uses a word that we avoid", () => {
  const avoided = /\b(SDK|spec file|sandbox|emulator|stub|fake)\b/i;
  expect(guides.filter((guide) => avoided.test(read(guide)))).toEqual([]);
});
