import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Resume, TrainerJob } from "@trainyard/server";

/** How the program of a job ended. */
export interface ProgramEnd {
  readonly code: number;
  /** How many bytes of events it wrote. If the folder is on another machine, they may arrive after the exit code. */
  readonly bytes: number;
}

// Runs on the node, which has no Node.js. Each note is written atomically.
const script = `#!/bin/sh
# Runs the program of one training job: submitted by \`trainyard slurm\` with the job's folder, what the names of this
# submission's files end with, the program and its arguments.
folder=$1
end=$2
shift 2
note() {
  printf '%s\\n' "$2" > "$folder/$1$end.part" && mv "$folder/$1$end.part" "$folder/$1$end"
}
note slurm-job "$SLURM_JOB_ID"
# SIGTERM is for the program, and the shell waits for it.
trap : TERM
"$@" < "$folder/job.json$end" > "$folder/events.jsonl$end"
code=$?
note exit "$code $(wc -c < "$folder/events.jsonl$end")"
exit "$code"
`;

/** The files of all submissions: `log-offset` says how many bytes of the log the server already has. */
type SharedFile = "program.sh" | "keep.sh" | "log" | "log-offset";

/**
 * The files of one submission, written whole, but for the events: `submitted` before the submission, because from then on the
 * job may be in the queue, with how many events of earlier submissions this one goes on from; its id in `slurm-job`, also by
 * the job itself when it starts; `kept` if it runs in the allocation of an earlier job.
 */
type OwnFile = "job.json" | "submitted" | "slurm-job" | "kept" | "exit" | "events.jsonl";

const shared: ReadonlySet<string> = new Set<SharedFile>(["program.sh", "keep.sh", "log", "log-offset"]);

/** The folder of a job, which the nodes of the cluster share, and its newest submission. */
export class WorkFolder {
  readonly path: string;
  /** The newest submission: 1 for the first. The names of the files of later ones end with `.2`, `.3` … */
  submission = 1;

  constructor(path: string) {
    this.path = path;
    while (existsSync(join(path, `submitted.${this.submission + 1}`))) this.submission++;
  }

  /** What the names of the newest submission's files end with. */
  get suffix(): string {
    return this.submission === 1 ? "" : `.${this.submission}`;
  }

  file(name: SharedFile | OwnFile): string {
    return join(this.path, shared.has(name) ? name : `${name}${this.suffix}`);
  }

  /** Writes the files that the program needs for the first submission. */
  prepare(input: string, document: TrainerJob): void {
    if (this.submission === 1 && this.read("job.json") === undefined) this.#write(input, document, 0);
  }

  /**
   * Prepares another submission of a job that lost its node. A program that left nothing in `state/` begins anew, in an empty
   * output folder.
   *
   * @param events how many events the server has
   */
  renew(input: string, document: TrainerJob, events: number): void {
    const isNew = readdirSync(this.#state).length === 0;
    if (isNew) {
      rmSync(document.output.directory, { recursive: true, force: true });
      mkdirSync(document.output.directory);
    }
    this.submission++;
    this.#write(input, document, events);
    this.write("submitted", String(isNew ? 0 : events));
  }

  /** @param input the document as text: numbers stay as they were written */
  #write(input: string, { resume }: TrainerJob, events: number): void {
    mkdirSync(this.#state, { recursive: true });
    const ours: Resume = { directory: this.path, events, state: this.#state, submission: this.submission };
    this.write(
      "job.json",
      input.replace(JSON.stringify({ resume }).slice(1, -1), () => JSON.stringify({ resume: ours }).slice(1, -1)),
    );
    this.write("program.sh", script);
  }

  get #state(): string {
    return join(this.path, "state");
  }

  /** How many events of earlier submissions the events of the newest one follow: 0 if its program began anew. */
  get base(): number {
    return Number(this.read("submitted") ?? 0);
  }

  /** How the program ended; undefined while it runs, or if it was killed before it could write its exit code. */
  get end(): ProgramEnd | undefined {
    const [code, bytes] = this.read("exit")?.split(/\s+/).map(Number) ?? [];
    return code === undefined || bytes === undefined ? undefined : { code, bytes };
  }

  read(note: SharedFile | OwnFile): string | undefined {
    const file = this.file(note);
    return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  }

  write(note: SharedFile | OwnFile, content: string): void {
    const part = `${this.file(note)}.${process.pid}`;
    writeFileSync(part, content, { mode: 0o600 });
    renameSync(part, this.file(note));
  }
}
