/** A reporter of vitest: ends a run with why tests were skipped, and `N passed, N failed, N skipped`. */
import { readFileSync } from "node:fs";
import { matchesGlob, relative } from "node:path";
import { program } from "@trainyard/testing/browser";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { filesOf, proofs } from "./proofs.ts";

export default class Counts implements Reporter {
  #root = "";
  #isLong = false;

  onInit({ config }: Vitest): void {
    this.#root = config.root;
    this.#isLong = config.tagsFilter?.includes("long") ?? false;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    let [passed, failed] = [0, 0];
    const skipped: [string, number][] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else if (!this.#isLong || test.tags.includes("long")) skipped.push([this.#reason(test), 1]);
      }
      // A file that could not be loaded counts as a failed test.
      if (module.state() === "failed" && module.errors().length > 0) failed += 1;
    }
    console.log(["", ...reasons(skipped), `${passed} passed, ${failed} failed, ${skipped.length} skipped`].join("\n"));
  }

  #reason({ tags, module, project }: TestCase): string {
    if (tags.includes("long") && !this.#isLong) return "long: vitest run --tags-filter long";
    const file = relative(this.#root, module.moduleId).replaceAll("\\", "/");
    if (program === undefined && readFileSync(module.moduleId, "utf8").includes("program === undefined"))
      return "no Chromium (the variable CHROMIUM names one)";
    const proof = Object.entries(proofs).find(
      ([name, one]) => name !== project.name && filesOf(one).some((pattern) => matchesGlob(file, pattern)),
    );
    return proof === undefined ? `in ${file}` : `long form: vitest run --project ${proof[0]}`;
  }
}

/** One line for each reason, the most frequent first; at most 12. */
export function reasons(all: readonly (readonly [reason: string, count: number])[]): string[] {
  const counts = new Map<string, number>();
  for (const [reason, count] of all) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.length > 12 ? sorted.slice(0, 11) : sorted;
  const rest = sorted.slice(shown.length).reduce((sum, [, count]) => sum + count, 0);
  return [
    ...shown.map(([reason, count]) => `skipped: ${count} ${reason}`),
    ...(rest > 0 ? [`skipped: ${rest} for ${sorted.length - shown.length} other reasons`] : []),
  ];
}
