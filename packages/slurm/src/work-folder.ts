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

/**
 * A file that is written whole: `submitted` before the submission, because from then on the job may be in the queue; its id
 * in `slurm-job`, also by the job itself when it starts; in `log-offset`, how many bytes of the log the server already has.
 */
type Note = "job.json" | "program.sh" | "submitted" | "slurm-job" | "exit" | "log-offset";

/** The folder of a job, which the nodes of the cluster share. */
export class WorkFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The path of a file: the `events.jsonl` of the program, its `log` with what Slurm adds, or a note. */
  file(name: "events.jsonl" | "log" | Note): string {
    return join(this.path, name);
  }

  /** Writes the files that the program needs. */
  prepare(document: string): void {
    if (existsSync(this.file("program.sh"))) return;
    this.write("job.json", document);
    this.write("program.sh", script);
  }

  /** How the program ended; undefined while it runs, or if it was killed before it could write its exit code. */
  get end(): ProgramEnd | undefined {
    const [code, bytes] = this.read("exit")?.split(/\s+/).map(Number) ?? [];
    return code === undefined || bytes === undefined ? undefined : { code, bytes };
  }

  read(note: Note): string | undefined {
    const file = this.file(note);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  }

  write(note: Note, content: string): void {
    const part = `${this.file(note)}.${process.pid}`;
    writeFileSync(part, content, { mode: 0o600 });
    renameSync(part, this.file(note));
  }
}
