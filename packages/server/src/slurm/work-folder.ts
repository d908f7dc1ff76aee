import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How the program of a job ended. */
export interface ProgramEnd {
  readonly code: number;
  /** How many bytes of events it wrote. If the folder is on another machine, they may arrive after the exit code. */
  readonly bytes: number;
}

// Runs on the node, which has no Node.js. Each note is written atomically.
const script = `#!/bin/sh
# Runs the program of one training job: submitted by \`trainyard slurm\` with the job's folder, the program and its arguments.
folder=$1
shift
note() {
  printf '%s\\n' "$2" > "$folder/$1.part" && mv "$folder/$1.part" "$folder/$1"
}
note slurm-job "$SLURM_JOB_ID"
# SIGTERM is for the program, and the shell waits for it.
trap : TERM
"$@" < "$folder/job.json" > "$folder/events.jsonl"
code=$?
note exit "$code $(wc -c < "$folder/events.jsonl")"
exit "$code"
`;

/** The folder of a job, which the nodes of the cluster share. */
export class WorkFolder {
  /** The events of the program, as JSON Lines. */
  readonly events: string;
  /** What the program wrote to its standard error, and what Slurm adds there. */
  readonly log: string;
  /** The script that is submitted. */
  readonly script: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.events = join(folder, "events.jsonl");
    this.log = join(folder, "log");
    this.script = join(folder, "program.sh");
  }

  /** Writes the files that the program needs. */
  prepare(document: string): void {
    if (!existsSync(this.script)) {
      this.#write("job.json", document);
      this.#write("program.sh", script);
    }
  }

  /** Notes that a job is being submitted. Until its id is known, it may already be in the queue. */
  begin(): void {
    this.#write("submitted", "");
  }

  get hasBegun(): boolean {
    return existsSync(join(this.#folder, "submitted"));
  }

  /** The id of the job in Slurm. The job also writes it when it starts. */
  get slurmJob(): string | undefined {
    return this.#read("slurm-job");
  }

  set slurmJob(id: string) {
    this.#write("slurm-job", id);
  }

  /** How the program ended; undefined while it runs, or if it was killed before it could write its exit code. */
  get end(): ProgramEnd | undefined {
    const [code, bytes] = this.#read("exit")?.split(/\s+/).map(Number) ?? [];
    return code === undefined || bytes === undefined ? undefined : { code, bytes };
  }

  /** How many bytes of the log the server already has. */
  get logOffset(): number {
    // For a job that an earlier version submitted, the offset is in the file `told`.
    return Number(this.#read("log-offset") ?? this.#read("told") ?? 0);
  }

  set logOffset(bytes: number) {
    try {
      this.#write("log-offset", String(bytes));
    } catch {
      // On a full disk, the server may get lines of the log twice. That is no reason to end the training.
    }
  }

  #read(name: string): string | undefined {
    const file = join(this.#folder, name);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  }

  #write(name: string, content: string): void {
    const part = join(this.#folder, `${name}.${process.pid}`);
    writeFileSync(part, content, { mode: 0o600 });
    renameSync(part, join(this.#folder, name));
  }
}
