/**
 * `pnpm release first`: what a host does once before the first release, each line done, missing or not known, with the commands
 * to paste. Changes nothing.
 */
import { parseArgs } from "node:util";
import { runCommand } from "@trainyard/contract/command";

const help = `pnpm release first: what a host does once before the first release

Each line is done (✓), missing (✗), or not known (?), by what can be read in this clone, of its host with \`gh\`, and of the registry
with \`npm\`. Below it are the commands that do it, from the root of the clone. Words in capitals are yours to replace. Nothing is
changed.`;

await runCommand(async () => {
  parseArgs({});
  const { listFirst } = await import("./list.ts");
  const lines = await listFirst();
  const count = { done: 0, missing: 0, unknown: 0 };
  for (const { what, fact, commands } of lines) {
    const [mark, state, says] =
      "done" in fact
        ? (["✓", "done", fact.done] as const)
        : "missing" in fact
          ? (["✗", "missing", `missing: ${fact.missing}`] as const)
          : (["?", "unknown", `not known: ${fact.unknown}`] as const);
    count[state]++;
    console.log(`${mark} ${what}\n    ${says}`);
    if (state !== "done") for (const command of commands) console.log(`      ${command}`);
  }
  console.log(`\n${count.done} done, ${count.missing} missing, ${count.unknown} not known`);
  if (count.missing + count.unknown === 0)
    console.log(
      "Commit what the commands have changed, and push main: the workflow release opens the version pull request.",
    );
  return 0;
}, help);
