import { isObject } from "../lib/object.ts";

function minutesOf(age: unknown): number {
  const [, days = "0"] = /^(\d+) days?$/.exec(typeof age === "string" ? age : "") ?? [];
  return Number(days) * 24 * 60;
}

/**
 * The faults in the settings of dependency updates, one sentence each: proposed releases must be old enough to be
 * installed, exact versions of the catalog must wait for a request, and each group needs a name.
 * @param age the workspace's `minimumReleaseAge`, in minutes
 */
export function* checkUpdates(file: string, text: string, age: number): Generator<string> {
  const settings: unknown = JSON.parse(text);
  if (!isObject(settings)) {
    yield `${file} holds no settings.`;
    return;
  }
  // A release that is younger than the installation allows would fail in its pull request.
  if (minutesOf(settings["minimumReleaseAge"]) <= age)
    yield `${file}: minimumReleaseAge must be more than the ${age} minutes of pnpm-workspace.yaml. Set "7 days".`;
  if (settings["internalChecksFilter"] !== "strict")
    yield `${file}: a release is proposed before it has its age. Set internalChecksFilter to "strict".`;
  const { packageRules } = settings;
  const rules = Array.isArray(packageRules) ? packageRules.filter(isObject) : [];
  if (!rules.some((rule) => rule["matchCurrentValue"] === "/^\\d/" && rule["dependencyDashboardApproval"] === true))
    yield `${file}: an exact version would rise in silence. Add a rule: matchCurrentValue "/^\\\\d/", dependencyDashboardApproval true.`;
  if (!rules.some((rule) => typeof rule["groupName"] === "string"))
    yield `${file}: each update gets a pull request of its own. Group them by groupName.`;
  const { extends: presets } = settings;
  if (!Array.isArray(presets) || !presets.includes("helpers:pinGitHubActionDigestsToSemver"))
    yield `${file}: actions lose their commits and versions. Extend helpers:pinGitHubActionDigestsToSemver.`;
}
