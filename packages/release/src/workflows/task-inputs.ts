import { matchesGlob } from "node:path";

/** Examples of the files that each run writes below a package. */
const written = [".turbo/turbo-test.log", ".cache/tests.json"];
const ofRoot = "$TURBO_ROOT$/";

/**
 * The faults in the inputs of turbo's tasks, one sentence each. Output of a run must not be an input: such a task would
 * never be cached.
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

/** Matches as turbo does: a star also matches names that start with a dot. */
function fits(path: string, pattern: string): boolean {
  const [plainPath = "", plainPattern = ""] = [path, pattern].map((text) => text.replaceAll(/(^|[/{,])\./g, "$1dot-"));
  return matchesGlob(plainPath, plainPattern);
}
