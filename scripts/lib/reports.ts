import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { program } from "@trainyard/testing/browser";
import { commands } from "./commands.ts";

const root = join(import.meta.dirname, "../..");

/** A test of a report that vitest wrote. */
export interface Test {
  readonly status: string;
  readonly fullName: string;
  readonly tags: readonly string[];
  /** From the root, with `/`. */
  readonly file: string;
}

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly name: string;
    readonly assertionResults: readonly Omit<Test, "file">[];
  }[];
}

/** All tests of vitest's reports. A file that could not be loaded counts as a failed test. */
export function testsOf(files: readonly string[]): Test[] {
  return files
    .flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as Report).testResults)
    .flatMap(({ status, name, assertionResults }) => {
      const isLost = status === "failed" && !assertionResults.some((test) => test.status === "failed");
      const file = relative(root, name).replaceAll("\\", "/");
      return [...assertionResults, ...(isLost ? [{ status, fullName: name, tags: [] }] : [])].map((test) => ({
        ...test,
        file,
      }));
    });
}

/** Why tests were skipped, one line for each reason. @param part the part of `pnpm test` that skipped them */
export function skippedLines(tests: readonly Test[], part: string): string[] {
  const counts = new Map<string, number>();
  for (const test of tests.filter(isSkipped)) {
    const reason = reasonOf(test, part);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(
    ([reason, count]) => `skipped: ${count} ${count === 1 ? reason.replace("tests", "test") : reason}`,
  );
}

function reasonOf({ file, tags }: Test, part: string): string {
  if (tags.includes("long") && part !== "long") return "long tests: pnpm test long";
  if (program === undefined && readFileSync(join(root, file), "utf8").includes("program === undefined"))
    return "tests: no Chromium (CHROMIUM names one)";
  const longForm = Object.entries(commands["test"]?.parts ?? {}).find(
    ([name, one]) =>
      name !== part &&
      "projects" in one &&
      one.projects.some((project) => one.files.some((start) => file.startsWith(`packages/${project}/${start}`))),
  );
  return longForm === undefined ? `tests of ${file}` : `tests: pnpm test ${longForm[0]}`;
}

function isSkipped({ status }: Test): boolean {
  return status !== "passed" && status !== "failed";
}

/** The line that the output of tests ends with. */
export function countsOf(tests: readonly Test[]): string {
  const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${tests.filter(isSkipped).length} skipped`;
}
