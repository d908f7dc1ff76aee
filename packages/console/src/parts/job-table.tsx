/** @jsxImportSource preact */
import type { JobSummary } from "../api/answers.ts";
import { Table } from "../charts/table.tsx";
import { count, duration, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { State } from "./run-page.tsx";

export interface JobTableProps {
  readonly run: string;
  readonly jobs: readonly JobSummary[];
  readonly at?: number;
}

/** Jobs, newest first, with the result in a sentence. */
export function JobTable({ run, jobs, at }: JobTableProps) {
  return (
    <Table
      label="Table of jobs"
      columns={["Step", "State", "Sequences", "Updates", "Took", "What happened"]}
      isNumber={(column) => column >= 2 && column <= 4}
      at={at}
      rows={jobs.map((job) => [
        job.status === "failed" || job.made_step === null ? "–" : count(job.made_step),
        <State key="state" state={job.status} text={job.status} />,
        job.kind === "sft" ? "–" : count(job.sequences),
        count(job.updates),
        duration(job.took_ms),
        <>
          {happened(job)}{" "}
          <a href={hrefOf(["runs", run, "jobs"], { job: job.id })}>{job.status === "failed" ? "Its log" : "Events"}</a>
        </>,
      ])}
    />
  );
}

/** The result of a job, in a sentence. */
export function happened(job: JobSummary): string {
  const again = job.attempts > 1 ? ` Attempt ${job.attempts} of 3.` : "";
  if (job.status === "failed") return `${job.error_message ?? "It failed."}${again}`;
  if (job.status === "queued") return `Waits for its turn.${again}`;
  const loss = job.last_update["loss"];
  const progress = loss === undefined ? "" : `, loss ${small(loss)} at update ${job.updates}`;
  return job.status === "completed" ? `New checkpoint${progress}.${again}` : `Trains${progress}.${again}`;
}
