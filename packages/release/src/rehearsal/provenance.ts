import { findHome, readHome } from "../lib/home.ts";
import { Unavailable } from "../lib/steps.ts";

/**
 * Compares where the root says that it lives with where this checkout does. npm refuses provenance if they differ, but only
 * after everything else was done. A fork on somebody's machine is no fault: a workflow alone publishes.
 *
 * @param home `repository` of the root's package.json
 * @throws {@link Unavailable} if neither is known
 */
export function checkHome(home = readHome(), here = findHome()): void {
  const isWorkflow = process.env["GITHUB_REPOSITORY"] !== undefined;
  if (home === here || (home !== undefined && !isWorkflow)) {
    if (home !== undefined) return;
    throw new Unavailable(
      "This repository has no public address yet. Once it has one, write it as `repository` in the package.json of the root.",
    );
  }
  const said = home === undefined ? "no repository" : home;
  throw new Error(
    `The package.json of the root says ${said}, and npm refuses provenance. Fix it with: npm pkg set repository=${here}`,
  );
}
