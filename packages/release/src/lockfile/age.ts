import { parse } from "yaml";

/** Minutes. Most malicious releases are removed within a day. */
const least = 24 * 60;

/**
 * The errors in the settings that keep young releases out, one sentence each. pnpm enforces the settings: it refuses to
 * install a lockfile that names a younger release, even a frozen one.
 * @param text `pnpm-workspace.yaml`
 * @param file the name of the file in messages
 */
export function* checkAge(text: string, file = "pnpm-workspace.yaml"): Generator<string> {
  const settings: Readonly<Record<string, unknown>> = parse(text);
  const age = settings["minimumReleaseAge"];
  if (typeof age !== "number" || age < least)
    yield `${file} takes releases that are younger than a day. Set: minimumReleaseAge: ${least}`;
  if (settings["minimumReleaseAgeStrict"] !== true)
    yield `${file} lets an update take a young release where no older one fits. Set: minimumReleaseAgeStrict: true`;
  if (settings["trustLockfile"] === true)
    yield "pnpm-workspace.yaml does not look at the ages in the lockfile. Remove: trustLockfile";
  const excluded = settings["minimumReleaseAgeExclude"];
  const names: unknown[] = Array.isArray(excluded) ? excluded : [];
  for (const name of names)
    if (typeof name === "string" && !/@\d+\.\d+\.\d+/.test(name))
      yield `${file} takes every young release of ${name}. Name the version: minimumReleaseAgeExclude: ["${name}@1.2.3"]`;
}
