import { existsSync } from "node:fs";
import { join } from "node:path";
import { lint } from "@trainyard/codegen/lint";
import type { Problem } from "@trainyard/codegen/problem";
import { redocly } from "@trainyard/codegen/redocly";

/** The violations of the style guide in services, as in `pnpm check contract`. Empty if there is no style guide. */
export async function judgeStyle(root: string, services: readonly string[], signal: AbortSignal): Promise<Problem[]> {
  if (services.length === 0 || !existsSync(join(root, "redocly.yaml"))) return [];
  return lint(root, services, (args, cwd) => redocly(args, cwd, signal));
}
