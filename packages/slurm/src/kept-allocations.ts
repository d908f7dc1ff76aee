import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { stateOf } from "./engine.ts";
import type { WorkFolder } from "./work-folder.ts";

// Runs on the node. Who renames an offer decides: the one that wants it, or this script, when nobody came.
const script = `#!/bin/sh
# Runs the program of a training job, and keeps its allocation for the next one: submitted by \`trainyard slurm\` with a folder
# of offers, how many seconds to wait for a job, and the script of the first job with its arguments.
offer=$1/$SLURM_JOB_ID
seconds=$2
shift 2
asked=
trap 'asked=yes' TERM
sh "$@"
while [ -z "$asked" ]; do
  : > "$offer"
  left=$((seconds * 4))
  while [ -e "$offer" ] && [ -z "$asked" ] && [ "$left" -gt 0 ]; do sleep 0.25; left=$((left - 1)); done
  if mv "$offer" "$offer.closed" 2> /dev/null; then rm "$offer.closed"; exit 0; fi
  left=120
  while [ ! -e "$offer.job" ] && [ "$left" -gt 0 ]; do sleep 0.25; left=$((left - 1)); done
  rm -f "$offer.taken"
  mv "$offer.job" "$offer.script" 2> /dev/null || exit 0
  sh "$offer.script"
  rm -f "$offer.script"
done
`;

/** The allocations that wait for another job, which were made with the same options of sbatch. */
export class KeptAllocations {
  /** How long they wait, in seconds. */
  readonly #seconds: number;
  /** A folder with an empty file for each, named by its Slurm job. */
  readonly #offers: string;

  constructor(seconds: number, options: readonly string[], folder: WorkFolder) {
    this.#seconds = seconds;
    const same = createHash("sha256").update(JSON.stringify(options)).digest("hex").slice(0, 16);
    this.#offers = join(dirname(dirname(folder.path)), "kept-allocations", same);
  }

  /** A script with its arguments as one that keeps its allocation. */
  keeping(command: readonly string[], folder: WorkFolder): string[] {
    mkdirSync(this.#offers, { recursive: true });
    folder.write("keep.sh", script);
    return [folder.file("keep.sh"), this.#offers, String(this.#seconds), ...command];
  }

  /** Runs a script in an allocation that waits, and returns the id of its Slurm job; undefined if none waits. */
  async take(command: readonly string[], folder: WorkFolder): Promise<string | undefined> {
    mkdirSync(this.#offers, { recursive: true });
    for (const id of readdirSync(this.#offers).filter((name) => /^\d+$/.test(name))) {
      const offer = join(this.#offers, id);
      // One that was killed has left its offer.
      const isThere = (await stateOf(id))?.state === "RUNNING";
      try {
        renameSync(offer, `${offer}.taken`);
      } catch {
        continue;
      }
      if (!isThere) {
        rmSync(`${offer}.taken`);
        continue;
      }
      // Noted first: a follower that is killed between these lines finds a Slurm job that ends without its program.
      folder.write("kept", id);
      folder.write("slurm-job", id);
      writeFileSync(`${offer}.part`, `sh ${command.map(quoted).join(" ")} >> ${quoted(folder.file("log"))} 2>&1\n`);
      renameSync(`${offer}.part`, `${offer}.job`);
      return id;
    }
    return undefined;
  }
}

/** A word for a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
