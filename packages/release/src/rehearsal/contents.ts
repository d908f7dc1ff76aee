import { posix } from "node:path";
import { validRange } from "semver";
import { needs } from "../lib/workspace.ts";
import { staleFiles, targetsOf } from "../pack/targets.ts";
import type { Contents } from "./tarball.ts";

/** What the rules ask for that the tarball does not say. */
export interface Expected {
  /** Of the whole repository. */
  readonly license: string;
  /** Folders of this machine, which no file may name. */
  readonly places: readonly string[];
}

type Rule = (contents: Contents, expected: Expected) => readonly string[];

/** What a tarball must be, by name. Each gives a sentence for what is wrong. */
export const rules = {
  private: ({ manifest }) =>
    manifest.private === true
      ? ["It is private, and would not be published: remove `private` from its package.json."]
      : [],

  license: ({ manifest }, { license }) =>
    manifest.license === license ? [] : [`Its package.json says the license ${manifest.license}: write ${license}.`],

  documents: ({ files }) =>
    ["LICENSE", "README.md"]
      .filter((name) => (files.get(name) ?? "").trim() === "")
      .map(
        (name) =>
          `It has no ${name}: write one in the folder of the package${name === "LICENSE" ? " or at the root" : ""}.`,
      ),

  tests: ({ files }) =>
    [...files.keys()].filter(isTest).map((path) => `${path} is a test: leave it out by \`files\` in package.json.`),

  hidden: ({ files }) =>
    [...files.keys()]
      .filter((path) => /(^|\/)(\.|node_modules\/)/.test(path))
      .map((path) => `${path} is not for others: leave it out by \`files\` in package.json.`),

  targets: ({ manifest, files }) =>
    targetsOf(manifest)
      .filter(({ path }) => !files.has(path))
      .map(
        ({ place, path }) =>
          `\`${place}\` names ${path}, which is not in the tarball: build it, or add it to \`files\`.`,
      ),

  protocols: ({ manifest }) =>
    Object.entries(needs(manifest))
      .filter(([, range]) => validRange(range) === null)
      .map(
        ([name, range]) =>
          `It needs ${name} as "${range}", which means nothing outside this workspace: pack with pnpm.`,
      ),

  maps: ({ files }) =>
    [...files].flatMap(([path, text]) =>
      mapsOf(path, text)
        .filter((to) => !files.has(to))
        .map((to) => `${path} points to ${to}, which is not in the tarball: ship it, or build without source maps.`),
    ),

  stale: ({ manifest, files }) =>
    staleFiles(manifest, [...files.keys()]).map(
      (path) => `${path} has no source: delete the folder \`dist\` of the package, and build anew.`,
    ),

  places: ({ files }, { places }) =>
    [...files].flatMap(([path, text]) =>
      places
        .filter((place) => text.includes(place))
        .map((place) => `${path} names ${place}, a folder of this machine.`),
    ),
} satisfies Record<string, Rule>;

/** Everything that is wrong with a tarball, each as a rule's name and a sentence. */
export function faultsOf(contents: Contents, expected: Expected): string[] {
  return Object.entries(rules).flatMap(([name, rule]: [string, Rule]) =>
    rule(contents, expected).map((sentence) => `${name}: ${sentence}`),
  );
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?|__tests__|fixtures)\/|\.(test|spec|test-d|bench)\.[cm]?[jt]sx?$/.test(path);
}

/** The files that a source map, or what names one, points to. */
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
