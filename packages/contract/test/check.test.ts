import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "@trainyard/document";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { check } from "../src/check.ts";
import type { CheckReport } from "../src/report/model.ts";
import { extractDocuments } from "../src/git.ts";
import { formats } from "../src/report/formats.ts";
import { isRefused } from "../src/report/sentence.ts";
import { bundle } from "./draft.ts";

const openapi = join(import.meta.dirname, "../../../openapi");
const root = mkdtempSync(join(tmpdir(), "trainyard-check-test-"));

function git(...args: string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...identity, ...args], { cwd: root, encoding: "utf8" }).trim();
}

function edit(file: string, before: RegExp, now: string): void {
  const text = readFileSync(join(root, file), "utf8");
  if (!before.test(text)) throw new Error(`${file} does not hold: ${before.source}`);
  writeFileSync(join(root, file), text.replace(before, now));
}

const document = "openapi/auxiliary/openapi.yaml";

/** Git knows it without ever having made it. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

beforeAll(() => {
  for (const name of ["auxiliary", "common"])
    cpSync(join(openapi, name), join(root, "openapi", name), { recursive: true });
  edit(document, /version: .*/, "version: 1.0.0");
  mkdirSync(join(root, "openapi/released"));
  const { info, ...released } = bundle("auxiliary");
  const text = JSON.stringify({ ...released, info: { ...Object(info), version: "1.0.0" } });
  writeFileSync(join(root, "openapi/released/auxiliary.json"), text);
  // Nothing could be compared with it, if it were read at all.
  mkdirSync(join(root, "openapi/broken"));
  writeFileSync(join(root, "openapi/broken/openapi.yaml"), "paths: [");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "The documents");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("a comparison of a working tree with a revision", () => {
  let report: CheckReport;
  const temporary = mkdtempSync(join(tmpdir(), "trainyard-check-test-"));

  beforeAll(async () => {
    // A folder of its own shows what is left behind.
    for (const name of ["TMPDIR", "TEMP", "TMP"]) vi.stubEnv(name, temporary);
    edit("openapi/auxiliary/schemas/HardwareOption.yaml", /(required: \[.*), pricing/, "$1");
    edit(document, /version: .*/, "version: 1.1.0");
    edit("openapi/auxiliary/schemas/Metric.yaml", /A value to read/, "The value to read");
    report = await check(root, undefined);
    vi.unstubAllEnvs();
  });

  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  it("reports what changed, where, whom it breaks, and which version is required", () => {
    expect(report.base).toEqual({ name: "main", commit: git("rev-parse", "HEAD") });
    expect(report.services.slice(1)).toEqual([{ service: "broken", changes: [] }]);
    expect(report.services[0]).toMatchObject({
      service: "auxiliary",
      changes: [
        {
          verdict: "breaking",
          kind: "property-optional",
          place: "HardwareOption.pricing",
          effects: [{ role: "read", operations: ["hardware.list"] }],
          at: { file: "openapi/auxiliary/schemas/HardwareOption.yaml", line: expect.any(Number) },
        },
        { verdict: "neutral", kind: "description-changed", place: "Metric" },
      ],
      version: { released: "1.0.0", revision: "1.1.0", needed: "2.0.0", right: false },
    });
    // A compiler has no say beside a breaking change.
    expect(report.services[0]?.types).toBeUndefined();
    expect(isRefused(report)).toBe(true);
    const [change] = report.services[0]?.changes ?? [];
    const line = readFileSync(join(root, change?.at.file ?? ""), "utf8").split("\n")[(change?.at.line ?? 0) - 1];
    expect(line).toMatch(/^ {2}pricing:/);
  });

  it("leaves no files behind", () => {
    expect(readdirSync(temporary).filter((name) => name.startsWith("trainyard-"))).toEqual([]);
    expect(git("status", "--porcelain").split("\n")).toHaveLength(3);
  });

  it("prints the result for a terminal", () => {
    expect(formats["text"]?.(report)).toMatch(
      /breaking {2}HardwareOption\.pricing: The property `pricing` was made optional\. {2}openapi\/auxiliary\/schemas\/HardwareOption\.yaml:\d+\n +Breaks callers that read it from hardware\.list \(wire\): Callers that read it may get nothing\./,
    );
    expect(formats["text"]?.(report)).toMatch(
      /✗ openapi\/auxiliary\/openapi\.yaml:\d+ .* since 1\.0\.0 are breaking, so .* has to be 2\.0\.0, and it is 1\.1\.0/,
    );
  });

  it("prints the result as Markdown", () => {
    const text = formats["markdown"]?.(report) ?? "";
    expect(text).toContain("### auxiliary: 1 breaking, 1 neutral changes");
    expect(text).toMatch(
      /\| \*\*breaking\*\* \| HardwareOption\.pricing<br>`openapi\/.*:\d+` \| The property `pricing` was made optional\. \|/,
    );
    expect(text).toMatch(/\| neutral \| Metric<br>`openapi\/.*:\d+` \| `description` changed\. \|/);
  });

  it("prints the result as annotations, each on one line", () => {
    const annotations = (formats["github"]?.(report) ?? "").split("\n").filter((line) => line.startsWith("::"));
    expect(annotations).toHaveLength(3);
    expect(annotations[0]).toMatch(/^::error file=openapi\/auxiliary\/openapi\.yaml,line=\d+,title=Wrong version::/);
    expect(annotations[1]).toMatch(
      /^::error file=.*HardwareOption\.yaml,line=\d+,title=Breaking%3A HardwareOption\.pricing::.*%0ABreaks/,
    );
    expect(annotations[2]).toMatch(/^::notice /);
  });
});

describe("a base revision", () => {
  it("that does not exist is reported, with a cure", async () => {
    await expect(check(root, "v9")).rejects.toThrow(
      'The revision "v9" does not exist here. Name a branch, a tag or a commit',
    );
    await expect(check(root, "--help")).rejects.toThrow('The revision "--help" does not exist here.');
  });

  it("without documents results in no comparison", () => {
    const empty = git("commit-tree", emptyTree, "-m", "Empty");
    const folder = mkdtempSync(join(tmpdir(), "trainyard-check-test-"));
    extractDocuments(root, empty, folder);
    expect(readdirSync(folder)).toEqual([]);
    extractDocuments(root, git("rev-parse", "HEAD"), folder);
    expect(readdirSync(join(folder, "openapi"))).toEqual(["auxiliary", "broken", "common", "released"]);
    rmSync(folder, { recursive: true });
  });

  it("that equals the working tree has no changes, and is not bundled", async () => {
    git("commit", "-qam", "The edits");
    const report = await check(root, undefined);
    expect(report.services).toEqual(["auxiliary", "broken"].map((service) => ({ service, changes: [] })));
    expect(isRefused(report)).toBe(false);
  });
});

describe("a service that cannot be read", () => {
  const broken = "openapi/broken/openapi.yaml";
  const compare = async (text: string): Promise<CheckReport> => {
    writeFileSync(join(root, broken), text);
    edit("openapi/auxiliary/schemas/HardwareOption.yaml", /(required: \[.*), type/, "$1");
    const report = await check(root, undefined);
    git("checkout", "-q", ".");
    expect(report.services).toMatchObject([
      { service: "auxiliary", changes: [{ verdict: "breaking", place: "HardwareOption.type" }] },
      { service: "broken", changes: [] },
    ]);
    expect(isRefused(report)).toBe(true);
    return report;
  };

  it("is refused with its faults, and does not hide the verdicts on the others", async () => {
    const report = await compare("paths: [[\n");
    expect(report.services[1]?.faults).toMatchObject([{ file: broken, line: 2 }]);
    for (const format of Object.values(formats)) {
      expect(format(report)).toContain("HardwareOption.type");
      expect(format(report)).toContain("Not valid YAML: ");
      expect(format(report)).toContain("broken: cannot be read, so it was not compared");
    }
  });

  it("asks for another revision if the older document is the invalid one", async () => {
    const report = await compare("openapi: 3.1.0\ninfo: { title: Broken, version: 1.0.0 }\npaths: {}\n");
    expect(report.services[1]?.faults).toMatchObject([
      { file: broken, message: expect.stringMatching(/^In main: Not valid YAML: /), cure: "Name another revision." },
    ]);
  });
});

it.each(["openapi/released/auxiliary.json", "openapi/releases.json"])(
  "names the conflict markers and the line, if a merge left them in %s",
  async (file) => {
    const before = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "[]\n";
    writeFileSync(join(root, file), `<<<<<<< HEAD\n${before}=======\n${before}>>>>>>> main\n`);
    edit("openapi/auxiliary/schemas/HardwareOption.yaml", /(required: \[.*), type/, "$1");
    await expect(check(root, undefined)).rejects.toThrow(`${file}:1:1\n  This file has conflict markers`);
    rmSync(join(root, file));
    git("checkout", "-q", ".");
  },
);

describe("before the first release", () => {
  const renamed = "Accepted: `HardwareOption.pricing` property-optional: The service never had to price an option.";
  const changeset = (text: string): void => {
    mkdirSync(join(root, ".changeset"), { recursive: true });
    writeFileSync(join(root, ".changeset/pricing.md"), `---\n---\n\n${text}\n`);
  };

  beforeAll(() => {
    git("checkout", "-qb", "early", "HEAD~1");
    git("rm", "-rq", "openapi/released", "openapi/broken");
    git("commit", "-qm", "Nothing was released");
    edit("openapi/auxiliary/schemas/HardwareOption.yaml", /(required: \[.*), pricing/, "$1");
  });

  afterAll(() => {
    rmSync(join(root, ".changeset"), { recursive: true, force: true });
    git("checkout", "-qf", "main");
    git("clean", "-qfd");
  });

  it("what breaks fails, and the line that accepts it is printed", async () => {
    const report = await check(root, "HEAD");
    expect(report.services[0]?.version).toMatchObject({ revision: "1.0.0", right: true });
    expect(isRefused(report)).toBe(true);
    for (const format of Object.values(formats)) {
      expect(format(report)).toContain("Nobody accepted this: HardwareOption.pricing: ");
      expect(format(report)).toContain("Accepted: `HardwareOption.pricing` property-optional: Why it breaks nobody.");
      expect(format(report)).toContain("responses break. Exit code 1: see each ✗ above.");
    }
  });

  it("what breaks passes with a line that accepts it, which stays right after it was merged", async () => {
    changeset(renamed);
    const report = await check(root, "HEAD");
    expect(report.services[0]?.changes).toMatchObject([
      { verdict: "breaking", accepted: { file: expect.any(String) } },
    ]);
    expect(isRefused(report)).toBe(false);
    expect(formats["text"]?.(report)).toMatch(/What breaks was accepted\. Exit code 0\.$/);
    git("add", "-A");
    git("commit", "-qm", "Pricing is optional");
    const merged = await check(root, "HEAD");
    expect([merged.idle, merged.services]).toEqual([[], [{ service: "auxiliary", changes: [] }]]);
    changeset(`${renamed}\nAccepted: \`HardwareOption.name\` property-optional: It was never there.`);
    expect((await check(root, "HEAD")).idle).toEqual([expect.stringContaining("no such change exists")]);
  });
});

describe("a removed service", () => {
  const names = readDocument(bundle("auxiliary"))
    .operations.map(({ name }) => name)
    .toSorted();

  beforeAll(() => {
    git("checkout", "-q", "HEAD~1");
    git("rm", "-rq", "openapi/broken");
    git("commit", "-qm", "All is valid");
    rmSync(join(root, "openapi/auxiliary"), { recursive: true });
  });

  it("is the removal of each of its operations, and is refused before they were deprecated", async () => {
    const report = await check(root, "HEAD");
    const [auxiliary] = report.services;
    expect(names).toContain("feedback.stats");
    expect(auxiliary?.changes.map(({ kind, place }) => `${kind} ${place}`).toSorted()).toEqual(
      names.map((name) => `operation-removed ${name}`),
    );
    expect(auxiliary?.version).toBeUndefined();
    expect(isRefused(report)).toBe(true);
    for (const format of Object.values(formats))
      expect(format(report)).toContain("feedback.stats leaves and was never released as deprecated.");
  });

  it("passes once each removal is accepted", async () => {
    const lines = names.map((name) => `Accepted: \`${name}\` operation-removed: Nobody ever called it.\n`);
    mkdirSync(join(root, ".changeset"));
    writeFileSync(join(root, ".changeset/gone.md"), `---\n---\n\n${lines.join("")}`);
    const report = await check(root, "HEAD");
    expect(report.services[0]?.changes.map(({ accepted }) => accepted?.reason)).toEqual(
      lines.map(() => "Nobody ever called it."),
    );
    expect(isRefused(report)).toBe(false);
  });
});
