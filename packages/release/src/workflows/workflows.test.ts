import { describe, expect, it } from "vitest";
import { checkWorkflow, rules } from "./check.ts";
import type { Repository } from "./rule.ts";
import { expanded } from "./rules/references.ts";
import { readWorkflow } from "./workflow.ts";

const repository: Repository = {
  scripts: new Set(["test", "bench", "bench size", "release", "release version"]),
  has: (path) => ["packages/core", "scripts/test.ts", ".github/workflows/ci.yml"].includes(path),
  fits: (pattern) => pattern === "openapi/**",
};

const good = `name: good
on:
  pull_request:
    paths: [openapi/**]
  push:
    branches: [main]
permissions:
  contents: read
concurrency:
  group: good
jobs:
  one:
    strategy:
      matrix:
        script: [test, bench size --check]
        include:
          - script: test
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
          package-manager-cache: false
      - run: npx -y pnpm@12 \${{ matrix.script }}
      - run: node scripts/test.ts "$TITLE" 'a $word' && pnpm install
        env:
          TITLE: \${{ github.event.pull_request.title }}
      - uses: actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1
        with:
          path: packages/core/dist
  two:
    if: github.event_name == 'push'
    needs: one
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      id-token: write # to be trusted
    environment: npm
    steps:
      - run: pnpm release version
`;

/** A workflow that is good but for one thing. */
function but(found: string | RegExp, put: string): string {
  const bad = good.replace(found, () => put);
  if (bad === good) throw new Error(`${String(found)} is not in the good one.`);
  return bad;
}

const step = (line: string): string => but("      - run: pnpm release version\n", `      - ${line}\n`);

/** What is wrong, under the rule that must see it, and it alone. */
const bad: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pin: {
    "a tag": but("@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "@v7"),
    "a branch": but("@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a", "@main"),
    "a short commit": but("@3d3c42e5aac5ba805825da76410c181273ba90b1", "@3d3c42e"),
    "a commit without its version": but(" # v7.0.0", ""),
    "a commit with half of its version": but(" # v7.0.0", " # v7"),
    "a workflow of others": but(
      / {4}runs-on: ubuntu-latest\n {4}timeout-minutes: 10\n {4}permissions[^]*/,
      "    uses: a/b/.github/workflows/c.yml@v1\n",
    ),
  },
  script: {
    unknown: step("run: npx -y pnpm@12 tset"),
    "unknown, in a matrix": but("[test, bench size --check]", "[test, bench sizes --check]"),
    "unknown, in an include": but("- script: test", "- script: tset"),
    "unknown, behind run": step("run: pnpm run tset"),
    "unknown, in an action": step(
      "uses: changesets/action/version@8488615a623b1b9c987934bb89eae8af6a946ac1 # v2.1.1\n        with:\n          script: pnpm release:versions",
    ),
  },
  path: {
    "of a program": step("run: node scripts/tset.ts"),
    "of a folder": but("packages/core/dist", "packages/cores/dist"),
    "of a pattern": but("[openapi/**]", "[openapis/**]"),
    "of a workflow": but(
      / {4}runs-on: ubuntu-latest\n {4}timeout-minutes: 10\n {4}permissions[^]*/,
      "    uses: ./.github/workflows/co.yml\n",
    ),
    "to work in": step("run: pnpm test\n        working-directory: packages/cores"),
  },
  timeout: {
    none: but("timeout-minutes: 10\n    steps", "steps"),
    "too long": but("timeout-minutes: 10\n    steps", "timeout-minutes: 600\n    steps"),
  },
};

const cases = Object.entries(bad).flatMap(([rule, ways]) =>
  Object.entries(ways).map(([way, text]) => [rule, way, text] as const),
);

describe("a workflow", () => {
  it("is valid", () => {
    expect(checkWorkflow("good.yml", good, repository)).toEqual([]);
  });

  it.each(cases)("breaks the rule %s: %s", (rule, _, text) => {
    const faults = checkWorkflow("bad.yml", text, repository);
    expect(faults).not.toEqual([]);
    for (const fault of faults) expect(fault).toMatch(new RegExp(`^bad\\.yml:\\d+ ${rule}: `));
  });

  it("has a bad example for each rule", () => {
    expect(Object.keys(bad).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
  });

  it("is reported with file and line", () => {
    const text = but("needs: one", "needs: one\n    timeout-minutes: 900").replace(
      "timeout-minutes: 10\n    permissions",
      "permissions",
    );
    expect(checkWorkflow("bad.yml", text, repository)).toEqual([
      `bad.yml:${text.split("\n").findIndex((line) => line.includes("900")) + 1} timeout: The job two may hang for hours. Add timeout-minutes, at most 60.`,
    ]);
  });

  it.each(["[", "- a", "just a text"])("cannot be read if it is %j", (text) => {
    expect(() => checkWorkflow("bad.yml", text, repository)).toThrow("bad.yml");
  });
});

it("inserts each value of a matrix", () => {
  const { jobs } = readWorkflow(
    "a.yml",
    "jobs: { a: { strategy: { matrix: { b: [1, 2], include: [{ b: 3 }, { c: x }] } }, steps: [] } }",
  );
  expect(jobs.map((job) => expanded("${{ matrix.b }} ${{matrix.c}} ${{ github.sha }}", job))).toEqual([
    ["1 x ${{ github.sha }}", "2 x ${{ github.sha }}", "3 x ${{ github.sha }}"],
  ]);
});
