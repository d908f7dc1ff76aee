import { readFileSync } from "node:fs";

/** A test of a report that vitest wrote. */
export interface Test {
  readonly status: string;
  readonly fullName: string;
  readonly tags: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly name: string;
    readonly assertionResults: Test[];
  }[];
}

/** All tests of vitest's reports. A file that could not be loaded counts as a failed test. */
export function testsOf(files: readonly string[]): Test[] {
  return files
    .flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as Report).testResults)
    .flatMap(({ status, name, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed")
        ? [...assertionResults, { status, fullName: name, tags: [] }]
        : assertionResults,
    );
}

export function isSkipped({ status }: Test): boolean {
  return status !== "passed" && status !== "failed";
}

/** The line that the output of tests ends with. */
export function countsOf(tests: readonly Test[]): string {
  const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${tests.filter(isSkipped).length} skipped`;
}
