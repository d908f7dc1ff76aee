import { basename, join, posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { validRange } from "semver";
import { readHome } from "../lib/home.ts";
import { type Manifest, published, readManifest, root } from "../lib/workspace.ts";
import type { Packed } from "../pack/pack.ts";
import { type Contents, readContents, unpack } from "./tarball.ts";

/** What the rules need besides the tarball. */
export interface Expected {
  /** Of the whole repository. */
  readonly license: string;
  /** Folders of this machine, which no file may mention. */
  readonly folders: readonly string[];
  /** The address of the repository, if it has one. */
  readonly home: string | undefined;
  /** The published packages, by name. */
  readonly packages: ReadonlyMap<string, Manifest>;
}

type Rule = (contents: Contents, expected: Expected) => readonly string[];

/** The rules for a tarball, by name. Each returns a sentence per fault. */
export const rules = {
  license: ({ manifest }, { license }) =>
    manifest.license === license ? [] : [`Its package.json says the license ${manifest.license}: write ${license}.`],

  documents: ({ files }) =>
    ["LICENSE", "README.md"]
      .filter((name) => (files.get(name) ?? "").trim() === "")
      .map(
        (name) =>
          `It has no ${name}: write one in the folder of the package${name === "LICENSE" ? " or at the root" : ""}.`,
      ),

  /** Without these settings npm publishes nothing with provenance; others would hide a package. */
  publish: ({ manifest: { publishConfig } }) =>
    isDeepStrictEqual(publishConfig, { access: "public", provenance: true })
      ? []
      : ['Set `publishConfig` in its package.json to {"access":"public","provenance":true}.'],

  /** npm compares it with the provenance. */
  home: ({ manifest: { name, repository, homepage } }, { home }) => {
    const directory = `packages/${name.replace(/^@[^/]+\//, "")}`;
    const wanted = {
      repository: home && { type: "git", url: `git+${home}.git`, directory },
      homepage: home && `${home}/tree/main/${directory}#readme`,
    };
    return isDeepStrictEqual({ repository, homepage }, wanted)
      ? []
      : [`npm refuses provenance: .pnpmfile.mjs has to write ${JSON.stringify(wanted)}.`];
  },

  page: ({ manifest: { description, keywords = [], engines } }) => [
    ...(description ? [] : ["Its package.json has no `description`. Write one, because the package page shows it."]),
    ...(keywords.length >= 3
      ? []
      : [
          "Its package.json has fewer than three `keywords`. Write at least three, because the registry's search uses them.",
        ]),
    ...(validRange(engines?.["node"]) === null
      ? ["Its package.json has no `engines.node`. Write the Node versions that were tested there."]
      : []),
  ],

  changelog: ({ manifest: { files = [] } }) =>
    files.includes("CHANGELOG.md")
      ? []
      : ["Its tarball has no changelog. Add CHANGELOG.md to `files` in its package.json."],

  entries: ({ manifest, files }, { packages }) => {
    const own = new Map([...packages, [manifest.name, manifest]]);
    return [...new Set((files.get("README.md") ?? "").match(/@[\w-]+\/[\w-]+(?:\/[\w-]+(?:\.\w+)?)*/g))]
      .filter((named) => !isEntry(named, own))
      .map((named) => `README.md names ${named}, which \`exports\` does not have.`);
  },

  guides: ({ files }) => {
    const guides = [...files].flatMap(([path, text]) => (/^docs\/|^AGENTS\.md$/.test(path) ? [text] : []));
    const [lines, size] = [(files.get("AGENTS.md") ?? "").split("\n").length - 1, Buffer.byteLength(guides.join(""))];
    if (lines > 0 && lines <= 20 && size <= 60_000) return [];
    return [`AGENTS.md has to have 1 to 20 lines, and 60 kB with the guides, not ${lines} and ${size / 1000}.`];
  },

  tests: ({ files }) =>
    [...files.keys()].filter(isTest).map((path) => `${path} is a test. Exclude it with \`files\` in package.json.`),

  hidden: ({ files }) =>
    [...files.keys()]
      .filter((path) => /(^|\/)(\.|node_modules\/)/.test(path))
      .map((path) => `${path} is internal. Exclude it with \`files\` in package.json.`),

  maps: ({ files }) =>
    [...files].flatMap(([path, text]) =>
      mapsOf(path, text)
        .filter((to) => !files.has(to))
        .map((to) => `${path} points to ${to}, which is not in the tarball: ship it, or build without source maps.`),
    ),

  mapped: ({ files }) =>
    [...files]
      .filter(([path, text]) => hasSource(path, files) && !isTest(path) && mapsOf(path, text).length === 0)
      .map(([path]) => `${path} does not lead to its source: set \`sourceMap\` and \`declarationMap\`.`),

  pages: ({ files }) =>
    [...files].flatMap(([path, text]) =>
      path.endsWith(".html") && path.startsWith("dist/")
        ? [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)]
            .map(([, to = ""]) => posix.join(posix.dirname(path), to))
            .filter((to) => !files.has(to))
            .map((to) => `${path} loads ${to}, which is not in the tarball: build again.`)
        : [],
    ),

  folders: ({ files }, { folders }) =>
    [...files].flatMap(([path, text]) =>
      folders
        .filter((folder) => text.includes(folder))
        .map((folder) => `${path} names ${folder}, a folder of this machine.`),
    ),
} satisfies Record<string, Rule>;

/** All faults of a tarball, each with the rule's name and a sentence. */
export function faultsOf(contents: Contents, expected: Expected): string[] {
  return Object.entries(rules).flatMap(([name, rule]: [string, Rule]) =>
    rule(contents, expected).map((sentence) => `${name}: ${sentence}`),
  );
}

/** What a tarball lacks, or has too much, as sentences. It is unpacked into a folder below this one. */
export function contentsFaults({ tarball }: Packed, temporary: string): string[] {
  const expected: Expected = {
    license: readManifest(join(root, "package.json")).license ?? "",
    folders: [root],
    home: readHome(),
    packages: new Map(published().map(({ manifest }) => [manifest.name, manifest])),
  };
  return faultsOf(readContents(unpack(tarball, join(temporary, basename(tarball)))), expected);
}

/** Whether a published package exports a name. Packages of others are not checked. */
function isEntry(named: string, packages: ReadonlyMap<string, Manifest>): boolean {
  const [scope, name, ...path] = named.split("/");
  const found = packages.get(`${scope}/${name}`);
  if (found === undefined) return ![...packages.keys()].some((other) => other.startsWith(`${scope}/`));
  // The package itself, which need not be a module.
  if (path.length === 0) return true;
  return isPublic(new Map(Object.entries(found.exports ?? {})).get(`./${path.join("/")}`));
}

/** Whether others can import an export. One with the condition of the sources alone is for this repository. */
export function isPublic(target: unknown): boolean {
  return typeof target === "string" || (typeof target === "object" && target !== null && "default" in target);
}

/** Whether a file was made from one source that is in the tarball too. */
function hasSource(path: string, files: ReadonlyMap<string, string>): boolean {
  const source = /^dist\/(.*?)(?:\.d)?\.(?:js|ts)$/.exec(path)?.[1];
  return source !== undefined && files.has(`src/${source}.ts`);
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__|fixtures)\/|\.(test|spec|test-d|bench)\.[cm]?[jt]sx?$/.test(path);
}

/** The files that a source map, or a reference to one, points to. */
function mapsOf(path: string, text: string): string[] {
  const beside = (to: string): string => posix.join(posix.dirname(path), to);
  if (path.endsWith(".map")) {
    const map: { sources?: string[]; sourcesContent?: (string | null)[]; sourceRoot?: string } = JSON.parse(text);
    const { sources = [], sourcesContent = [], sourceRoot = "" } = map;
    return sources
      .filter((_, index) => typeof sourcesContent[index] !== "string")
      .map((to) => beside(posix.join(sourceRoot, to)));
  }
  const named = /^\/\/# sourceMappingURL=(?!data:)(\S+)\s*$/m.exec(text)?.[1];
  return named === undefined ? [] : [beside(named)];
}
