/** @jsxImportSource preact */
import type { JobSummary } from "../api/answers.ts";
import { useRead } from "../api/use-read.ts";
import { Figure } from "../charts/small-chart.tsx";
import { clock, duration, small } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { Table } from "../charts/table.tsx";
import { Card } from "../parts/card.tsx";
import { record } from "../parts/content.ts";
import { happened, JobTable } from "../parts/job-table.tsx";
import { LongText } from "../parts/message-text.tsx";
import { RunPage, State, type RunPageProps } from "../parts/run-page.tsx";

/** Shows what the trainer did, and why it failed. */
export function JobsPage({ run, detail, query }: RunPageProps) {
  const jobs = useRead({ path: "/runs/{run_id}/jobs", params: { run_id: run }, query: { limit: 100 } }, run);
  const lines = jobs.data?.data ?? [];
  const chosen = query.get("job");
  const job = lines.find(({ id }) => id === chosen) ?? lines[0];
  const { at, keys } = useCursor(lines.length, "job");
  return (
    <RunPage run={run} detail={detail} tab="Jobs" keys={keys}>
      {jobs.data !== undefined && lines.length === 0 && (
        <section class="notice card">
          <h2>No job yet</h2>
          <p>
            No job has trained this model. Create one with <code>trainingJobs.createRl</code> or{" "}
            <code>trainingJobs.createSft</code>.
          </p>
        </section>
      )}
      {lines.length > 0 && (
        <section class="card" aria-label="Jobs">
          <JobTable run={run} jobs={lines} at={at >= 0 ? at : lines.findIndex(({ id }) => id === job?.id)} />
        </section>
      )}
      {job !== undefined && <JobDetail key={job.id} run={run} job={job} />}
    </RunPage>
  );
}

function JobDetail({ run, job }: { readonly run: string; readonly job: JobSummary }) {
  const params = { run_id: run, job_id: job.id };
  const events = useRead({ path: "/runs/{run_id}/jobs/{job_id}/events", params, query: { limit: 100 } }, run);
  const log = useRead({ path: "/runs/{run_id}/jobs/{job_id}/log", params }, run);
  const all = events.data?.data ?? [];
  const updates = all.filter(({ type }) => type === "gradient_step").map(({ data }) => record(data));
  const names = [...new Set(updates.flatMap((update) => Object.keys(update)))].toSorted();
  const settings = Object.entries(job.settings);
  const start = job.started_at ?? job.created_at;
  return (
    <section class="stack job" aria-label="The selected job">
      <div class="title">
        <h2>{job.made_step === null ? "Job" : `Job of step ${job.made_step}`}</h2>
        <State state={job.status} text={job.status} />
        <span class="quiet">
          {job.kind === "sft" ? "fine-tuning" : `${job.groups} groups, ${job.sequences} sequences`}
        </span>
      </div>
      <p>{happened(job)}</p>
      {updates.length > 1 && (
        <div class="minis card" role="group" aria-label="Updates of this job">
          {names.slice(0, 6).map((name) => {
            const values = updates.map((update) => (typeof update[name] === "number" ? update[name] : null));
            return (
              <Figure
                key={name}
                label={name}
                note={`${values.length} updates`}
                step={values.map((_, at) => at + 1)}
                values={values}
                at={values.length - 1}
              />
            );
          })}
        </div>
      )}
      <Card id="events" title="Events" end={events.data?.has_more === true && "the first 100"}>
        <ol class="events">
          {all.map(({ id, created_at: at, type, data }) => (
            <li key={id}>
              <time dateTime={at ?? ""} title={at ?? ""}>
                {at === null ? "–" : clock(at)}
              </time>
              <span class="quiet">
                {at !== null && start !== null && `+${duration(Date.parse(at) - Date.parse(start))}`}
              </span>
              <code>{type}</code>
              <span class="said">
                {Object.entries(record(data))
                  .map(([name, value]) => `${name} ${textOf(value)}`)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ol>
        {events.data !== undefined && all.length === 0 && <p class="empty">No events yet.</p>}
      </Card>
      <Card id="log" title="Log of the trainer" end={(log.data?.attempt ?? 0) > 0 && `attempt ${log.data?.attempt}`}>
        {log.data?.lines.length === 0 ? (
          <p class="empty">The trainer wrote nothing to standard error.</p>
        ) : (
          <div class="pre tall" tabIndex={0} role="region" aria-label="The last lines of the log">
            {log.data?.cut === true && "…\n"}
            <LongText text={(log.data?.lines ?? []).slice(-60).join("\n")} />
          </div>
        )}
      </Card>
      {settings.length > 0 && (
        <Card id="config" title="Settings">
          <Table
            label="Table of settings"
            columns={["Setting", "Value", "From"]}
            isNumber={() => false}
            rows={settings.map(([name, { value, origin }]) => [name, textOf(value), origins[origin] ?? origin])}
          />
        </Card>
      )}
    </section>
  );
}

/** Where the value of a setting comes from. */
const origins: Readonly<Record<string, string>> = {
  sent: "the request",
  default: "the trainer's default",
  derived: "other settings and the data",
};

function textOf(value: unknown): string {
  if (typeof value === "number") return small(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
