/** @jsxImportSource preact */
import type { JobSummary } from "@trainyard/local";
import { count, duration, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { State } from "./run-head.tsx";

export interface JobTableProps {
  readonly run: string;
  readonly jobs: readonly JobSummary[];
  readonly at?: number;
}

const columns = ["Step", "State", "Sequences", "Updates", "Took", "What happened"];

/** Jobs, newest first, with the result in a sentence. */
export function JobTable({ run, jobs, at }: JobTableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of jobs">
      <table>
        <thead>
          <tr>
            {columns.map((name, place) => (
              <th key={name} scope="col" class={place >= 2 && place <= 4 ? "num" : ""}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {jobs.map((job, place) => (
            <tr key={job.id} class={place === at ? "on" : ""}>
              <td>{job.status === "failed" || job.made_step === null ? "–" : count(job.made_step)}</td>
              <td>
                <JobState status={job.status} />
              </td>
              <td class="num">{job.kind === "sft" ? "–" : count(job.sequences)}</td>
              <td class="num">{count(job.updates)}</td>
              <td class="num">{duration(job.took_ms)}</td>
              <td class="wide">
                {happened(job)}{" "}
                <a href={hrefOf(["runs", run, "jobs"], { job: job.id })}>
                  {job.status === "failed" ? "Its log" : "Events"}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function JobState({ status }: { readonly status: string }) {
  if (status === "running") return <State state="training" text="running" />;
  return status === "failed" ? <span class="tag bad">failed</span> : <span>{status}</span>;
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
