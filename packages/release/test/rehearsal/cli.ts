/**
 * `pnpm release dry`: everything that a release does, with a registry on loopback in the place of the public one. Packs what
 * would be published, holds it against all rules, publishes and installs it, and upgrades programs of others to it.
 * Reaches the npm registry for what our packages need.
 */
import { join } from "node:path";
import { readHome } from "../../src/lib/home.ts";
import { askPublicRegistry, Unavailable } from "../../src/lib/npm.ts";
import { build, pack } from "../../src/pack/pack.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { checkPacked } from "./checks.ts";
import { rehearse } from "./rehearse.ts";
import { Steps } from "./steps.ts";

const temporary = makeTemporaryFolder("rehearsal");
const steps = new Steps();
try {
  await steps.take("where the repository lives", () => checkHome());
  const built = await steps.take("build", () => build());
  const packed = built && (await steps.take("pack", () => pack(join(temporary, "packed"))));
  if (packed) await checkPacked(steps, packed.value, temporary);
  const online =
    packed && (await steps.take("reach the registry that npm is configured for", () => askPublicRegistry(temporary)));
  if (!online || !(await rehearse(steps, packed.value, temporary)))
    console.error("\nThe remaining steps need one that did not pass, so they were not run.");
} finally {
  steps.close();
  if (process.exitCode) console.error("\nFix the errors above, then run: npx -y pnpm@12 release dry");
}

/** npm refuses provenance if the root names another repository than the workflow's, but only after everything else was done. */
function checkHome(): void {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  const home = readHome();
  const here = repository === undefined ? home : `${server}/${repository}`;
  if (home !== here)
    throw new Error(
      `The package.json of the root says ${home ?? "no repository"}, and npm refuses provenance. Fix it with: npm pkg set repository=${here}`,
    );
  if (home === undefined)
    throw new Unavailable(
      "This repository has no public address yet. Once it has one, write it as `repository` in the package.json of the root.",
    );
}
