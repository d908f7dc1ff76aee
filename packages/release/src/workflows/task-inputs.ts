import { matchesGlob } from "node:path";

/** What every run writes below a package, by the name of a file that may be there. */
const written = [".turbo/turbo-test.log", ".cache/tests.json"];
const ofRoot = "$TURBO_ROOT$/";

/**
 * What is wrong with the inputs of a file of turbo's tasks, a sentence each. What a run writes must be no input: such a task
 * never is as it was, and runs each time.
 *
 * @param folders the packages
 */
export function* checkTaskInputs(file: string, text: string, folders: readonly string[]): Generator<string> {
  const { tasks = {} }: { tasks?: Record<string, { inputs?: string[] }> } = JSON.parse(text);
  for (const [task, { inputs = [] }] of Object.entries(tasks)) {
    const patterns = inputs.flatMap((input) => {
      const pattern = input.replace(/^!/, "");
      return pattern.startsWith(ofRoot) ? [{ input, pattern: pattern.slice(ofRoot.length) }] : [];
    });
    const left = patterns.filter(({ input }) => input.startsWith("!"));
    for (const { input, pattern } of patterns) {
      if (input.startsWith("!")) continue;
      const taken = folders
        .flatMap((folder) => written.map((name) => `${folder}/${name}`))
        .find((path) => fits(path, pattern) && !left.some((one) => fits(path, one.pattern)));
      if (taken !== undefined)
        yield `${file}: ${task} has ${taken} as an input, by ${input}. Each run writes that file, so the task would always run. Leave it out by a line that begins with "!".`;
    }
  }
}

/** As turbo reads a pattern: a star stands for names that begin with a dot as well. */
function fits(path: string, pattern: string): boolean {
  const [plainPath = "", plainPattern = ""] = [path, pattern].map((text) => text.replaceAll(/(^|[/{,])\./g, "$1dot-"));
  return matchesGlob(plainPath, plainPattern);
}
