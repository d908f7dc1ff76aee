/**
 * Three releases of GitHub Enterprise Server: what `trainyard check` says of their changes, and whether it is right.
 * `pnpm exec vitest run --project strangers-contracts` runs it, and compares the counts with RELEASES.md; `-u` writes them.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkFiles } from "@trainyard/contract/files";
import { type JsonObject, memberAt, pointerTokens } from "@trainyard/core/validation";
import { readDocument } from "@trainyard/document";
import { upgrade } from "@trainyard/document/upgrade";
import { markdownTable } from "@trainyard/terminal/table";
import { run } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../report.ts";
import { compileClients } from "./compile.ts";
import { type Line, programOf } from "./program.ts";

const folder = join(import.meta.dirname, "../../.cache/releases");
const versions = ["3.17", "3.18", "3.19"];
/** As they were released, and the other way round, where far more breaks. */
const forth = [
  ["3.17", "3.18"],
  ["3.18", "3.19"],
];
const pairs = [...forth, ...forth.map((pair) => pair.toReversed())];

/** One version, and the program that was written for it. */
interface Release {
  readonly root: object;
  readonly program: readonly Line[];
  readonly file: string;
  /** What raising it to OpenAPI 3.1 changes. */
  readonly notes: readonly string[];
}

type Compared = Awaited<ReturnType<typeof compare>>;

const bare = (pointer: string): string => pointer.replaceAll(/\/(allOf|anyOf|oneOf)\/\d+/g, "");
const contains = (outer: string, pointer: string): boolean => `${bare(pointer)}/`.startsWith(`${bare(outer)}/`);

/** The place of a line, and the components that it needs. A change of a part is reported where the whole is merged. */
function placesOf({ root }: Release, { place }: Line): string[] {
  const own = JSON.stringify(memberAt(root, pointerTokens(place))) ?? "";
  return [place, ...[...own.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, target = ""]) => target)];
}

const releases = new Map<string, Release>();
const compared: Compared[] = [];
let faults = new Map<string, string[]>();
const releaseOf = (version: string): Release => {
  const release = releases.get(version);
  if (release === undefined) throw new Error(`There is no ${version}.`);
  return release;
};

async function compare([older = "", newer = ""]: readonly string[], documents: string) {
  const [before, now] = [releaseOf(older), releaseOf(newer)];
  const { services } = await checkFiles(before.file, now.file, [documents], () => {});
  const changes = services.flatMap((service) => service.changes);
  const breaking = changes.filter(({ verdict }) => verdict === "breaking");
  const failed = (faults.get(`${older} to ${newer}`) ?? []).map((fault) => ({
    fault,
    line: before.program[Number(/\((\d+),/.exec(fault)?.[1]) - 1] ?? { text: "", place: "" },
  }));
  const missed = failed.filter(({ line }) => {
    const places = placesOf(before, line);
    return !breaking.some(({ base, revision }) =>
      [base, revision].some((at) => places.some((place) => contains(place, at) || contains(at, place))),
    );
  });
  return {
    name: `${older} → ${newer}`,
    operations: readDocument(before.root).operations.length,
    changes,
    breaking,
    errors: failed.length,
    /** Errors without a breaking verdict at their place. */
    missed: missed.map(({ fault, line }) => `${line.place}: ${fault}`),
  };
}

describe.skipIf(process.env["STRANGERS"] !== "whole")("three releases of a large document", () => {
  beforeAll(async () => {
    const documents = join(installTools("documents"), "node_modules/@octokit/openapi/generated");
    installTools("generators");
    rmSync(folder, { recursive: true, force: true });
    for (const version of versions) {
      const file = join(documents, `ghes-${version}.json`);
      const root: JsonObject = JSON.parse(readFileSync(file, "utf8"));
      const program = programOf(root);
      releases.set(version, { root, program, file, notes: upgrade(root).notes });
      mkdirSync(join(folder, version), { recursive: true });
      // A default says nothing of whether a response has the field.
      const options = ["--default-non-nullable=false", "--output", join(folder, version, "types.ts")];
      run(join(installTools("generators"), "node_modules/.bin", "openapi-typescript"), [file, ...options], {
        cwd: folder,
      });
    }
    for (const [older = "", newer = ""] of [...versions.map((version) => [version, version]), ...pairs]) {
      const own = join(folder, older === newer ? older : `${older} to ${newer}`);
      mkdirSync(own, { recursive: true });
      if (older !== newer) cpSync(join(folder, newer, "types.ts"), join(own, "types.ts"));
      writeFileSync(
        join(own, "program.ts"),
        releaseOf(older)
          .program.map(({ text }) => `${text}\n`)
          .join(""),
      );
    }
    faults = compileClients(folder);
    for (const pair of pairs) compared.push(await compare(pair, documents));
  }, 1_200_000);

  it("the program of each release compiles with its own types", () => {
    expect(versions.flatMap((version) => faults.get(version) ?? [])).toEqual([]);
  });

  it("every change has a rule, and each error of the compiler a breaking verdict", () => {
    const unknown = compared.flatMap(({ changes }) => changes.filter(({ kind }) => kind === "unclassified"));
    expect(unknown.map(({ what }) => what)).toEqual([]);
    expect(compared.flatMap(({ missed }) => missed)).toEqual([]);
  });

  it("RELEASES.md has the counts, and by its judgments at least 36 of 40 breaking verdicts are right", async () => {
    const hash = (row: readonly string[]): string =>
      createHash("sha256")
        .update(`1 ${row.join(" ")}`)
        .digest("hex");
    // What a person wrote into the table stays.
    const judged = readFileSync(join(import.meta.dirname, "RELEASES.md"), "utf8")
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()));
    const all = compared
      .flatMap(({ name, breaking }, index) =>
        breaking.map(({ kind, base, revision }) => {
          const at = base === revision ? base : `${base} → ${revision}`;
          return { isBack: index >= forth.length, kind, row: [name, kind, at] };
        }),
      )
      .toSorted((a, b) => (hash(a.row) < hash(b.row) ? -1 : 1));
    // Those of the releases themselves, because they are few; of the others as many of each kind.
    const rank = ({ isBack, kind }: (typeof all)[number], index: number): number =>
      isBack ? 1 + all.slice(0, index).filter((one) => one.isBack && one.kind === kind).length : 0;
    const sample = all
      .map((one, index) => ({ ...one, rank: rank(one, index) }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, 40)
      .map(({ row }) => {
        const known = judged.find((cells) => row.every((cell, at) => cell === cells[at + 1]));
        return [...row, known?.[4] ?? "not judged", known?.[5] ?? ""];
      });
    const right = sample.filter(([, , , judgment]) => judgment === "right").length;
    const sum = compared.reduce((total, { changes }) => total + changes.length, 0);
    report(
      "releases",
      `${sum} changes of a large document were judged; of ${sample.length} breaking verdicts ${right} are right.`,
    );
    await expect(text(sample)).toMatchFileSnapshot("RELEASES.md");
    expect(right).toBeGreaterThanOrEqual(36);
  });
});

function text(sample: readonly (readonly string[])[]): string {
  const counted = ["operations", "changes", "unclassified", "breaking", "compile errors"];
  const head = ["releases", ...counted, "without a breaking verdict"];
  const rows = compared.map(({ name, operations, changes, breaking, errors, missed }) => {
    const unknown = changes.filter(({ kind }) => kind === "unclassified");
    const counts = [operations, changes.length, unknown.length, breaking.length, errors, missed.length];
    return [name, ...counts.map(String)];
  });
  const all = [...releases.values()];
  // A note is the place and a sentence.
  const sentence = (note: string): string => note.slice(note.indexOf(": ") + 2);
  const lost = [...new Set(all.flatMap(({ notes }) => notes.map(sentence)))].map((one) => [
    one,
    ...all.map(({ notes }) => String(notes.filter((note) => sentence(note) === one).length)),
  ]);
  const nullable = all.map(({ root }) => String(JSON.stringify(root).split('"nullable":true').length - 1));
  return `# Releases of a document of other people

Written by \`pnpm exec vitest run --project strangers-contracts -u\`, and checked without \`-u\`. GitHub Enterprise Server ${versions.join(", ")} from
\`@octokit/openapi\`, compared by \`trainyard check\`, as they were released and the other way round. A program for the older one,
with types by \`openapi-typescript\`, sends every field, reads every answered one, names every schema and switches over every enum. It
is compiled with the types of the newer one: each error's place needs a breaking verdict.

${markdownTable([head, ...rows])}

## What the comparison does not see

The documents are OpenAPI 3.0.3, and are raised to 3.1 first. What that changes, and at how many places:

${markdownTable([["", ...versions], ["`nullable: true` in the document", ...nullable], ...lost])}

## Breaking verdicts, judged by hand

Those of the releases as they were released, and as many of each kind of the other direction, by a fixed seed: 40 in all.
A person wrote the last two columns with both documents at hand, and \`-u\` keeps them.

${markdownTable([["releases", "kind", "pointer", "judgment", "because"], ...sample])}
`;
}
