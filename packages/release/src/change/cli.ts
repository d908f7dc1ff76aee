/** `contract change [revision]`: everything that follows from an edit of the documents, up to the changeset. */
import { spawnSync } from "node:child_process";
import { readArguments } from "@trainyard/terminal/arguments";
import { runCommand } from "@trainyard/contract/command";
import { root } from "../lib/workspace.ts";

/** Runs another command of the repository, with its output. */
function speak(file: string, ...args: string[]): boolean {
  const { error, status } = spawnSync(process.execPath, ["--conditions=@trainyard/source", file, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (error) throw error;
  console.log();
  return status === 0;
}

const help = `contract change [revision]: all that follows from an edit of the documents

Checks the documents, compares with where this branch left main (or with a revision), sets info.version, generates the clients
and their validators, measures what browsers download, and writes a changeset for each service whose callers notice something.`;

await runCommand(async () => {
  const { positionals } = readArguments({ allowPositionals: true });
  const { change } = await import("./change.ts");
  const { Failure } = await import("@trainyard/contract");
  const sound = await change(root, positionals[0], {
    lint: async () => {
      if (!speak("packages/codegen/src/lint/cli.ts"))
        throw new Failure("Edit the files and lines above, then run: npx -y pnpm@12 contract change");
    },
    generate: async () => {
      if (!speak("packages/codegen/src/cli.ts")) throw new Failure("The clients were not generated.");
    },
    validators: async (service) => {
      if (!speak("packages/codegen/src/cli.ts", "validators", service))
        throw new Failure("The validators were not generated.");
    },
    size: async (services) => {
      const isSmall = speak("packages/proofs/src/bench/size.ts", "--check", ...services);
      if (!isSmall) console.log("Then run again: npx -y pnpm@12 contract change\n");
      return isSmall;
    },
    check: async (revision) => speak("packages/contract/src/cli.ts", "check", revision),
    say: (line) => console.log(line),
  });
  return sound ? 0 : 1;
}, help);
