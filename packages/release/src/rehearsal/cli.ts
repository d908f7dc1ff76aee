/**
 * `pnpm release dry`: everything that a release does, with a registry on loopback in the place of the public one. Packs what
 * would be published, holds it against all rules, publishes and installs it, and upgrades programs of others to it.
 * Reaches the npm registry for what our packages need.
 */
import { join } from "node:path";
import { askPublicRegistry } from "../lib/npm.ts";
import { makeTemporaryFolder } from "../lib/temporary-folder.ts";
import { Steps } from "../lib/steps.ts";
import { build, pack } from "../pack/pack.ts";
import { checkPacked } from "./checks.ts";
import { rehearse } from "./rehearse.ts";

const temporary = makeTemporaryFolder("rehearsal");
const steps = new Steps();
try {
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
