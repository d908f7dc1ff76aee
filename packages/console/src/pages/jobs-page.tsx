/** @jsxImportSource preact */
import type { JobSummary } from "@trainyard/local";
import type { JSX } from "preact";
import { useRead } from "../api/use-read.ts";
import { MiniChart } from "../charts/mini-chart.tsx";
import { clock, duration, small } from "../format/format.ts";
import { useCursor } from "../list/use-cursor.ts";
import { record } from "../parts/content.ts";
import { Frame } from "../parts/frame.tsx";
import { happened, JobState, JobTable } from "../parts/job-table.tsx";
import { LongText } from "../parts/message-text.tsx";
import { RunHead } from "../parts/run-head.tsx";
import { Failed } from "../parts/states.tsx";
import { change, go, hrefOf } from "../state/address.ts";

/** Shows what the trainer did, and why it failed. */
export function JobsPage({ run, query }: { readonly run: string; readonly query: URLSearchParams }): JSX.Element {
  const params = { run_id: run };
  const detail = useRead({ path: "/runs/{run_id}", params }, run);
  const jobs = useRead({ path: "/runs/{run_id}/jobs", params, query: { limit: 100 } }, run);
  const lines = jobs.data?.data ?? [];
  const chosen = query.get("job");
  const job = lines.find(({ id }) => id === chosen) ?? lines[0];
  const { at, keys } = useCursor(lines.length, "job", (place) => change({ job: lines[place]?.id }));
  if (detail.error !== undefined) return <Failed error={detail.error} what="Run" />;
  const { data } = detail;
  const back = { keys: ["Escape"], shown: ["Esc"], what: "back to the run", run: () => go(hrefOf(["runs", run])) };
  return (
    <Frame
      title={`Jobs of ${data?.run.name ?? "a run"}`}
      crumbs={
        data
          ? [
              { text: data.run.name, href: hrefOf(["runs", run]) },
              { text: "Jobs", href: hrefOf(["runs", run, "jobs"]) },
            ]
          : []
      }
      keys={[...keys, back]}
      isSlow={jobs.isSlow}
    >
      {data !== undefined && <RunHead detail={data} tab="jobs" />}
      {jobs.data !== undefined && lines.length === 0 && (
        <section class="notice card">
          <h2>No job yet</h2>
          <p>No job has trained this model. Create one with `trainingJobs.createRl` or `trainingJobs.createSft`.</p>
        </section>
      )}
      {lines.length > 0 && (
        <section class="card" aria-label="Jobs">
          <JobTable run={run} jobs={lines} at={at >= 0 ? at : lines.findIndex(({ id }) => id === job?.id)} />
        </section>
      )}
      {job !== undefined && <JobDetail key={job.id} run={run} job={job} />}
    </Frame>
  );
}

function JobDetail({ run, job }: { readonly run: string; readonly job: JobSummary }): JSX.Element {
  const params = { run_id: run, job_id: job.id };
  const events = useRead({ path: "/runs/{run_id}/jobs/{job_id}/events", params, query: { limit: 100 } }, run);
  const log = useRead({ path: "/runs/{run_id}/jobs/{job_id}/log", params, query: { lines: 200 } }, run);
  const all = events.data?.data ?? [];
  const updates = all.filter(({ type }) => type === "gradient_step").map(({ data }) => record(data));
  const names = [...new Set(updates.flatMap((update) => Object.keys(update)))].toSorted();
  const config = Object.entries(job.config).filter(([, value]) => value !== null);
  const start = job.started_at ?? job.created_at;
  return (
    <section class="stack job" aria-label="The selected job">
      <div class="title">
        <h2>{job.made_step === null ? "Job" : `Job of step ${job.made_step}`}</h2>
        <JobState status={job.status} />
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
              <MiniChart
                key={name}
                label={name}
                now={small(values.at(-1))}
                note={`${values.length} updates`}
                step={values.map((_, at) => at + 1)}
                values={values}
                write={small}
              />
            );
          })}
        </div>
      )}
      <section class="card" aria-labelledby="events">
        <header>
          <h3 id="events">Events</h3>
          {events.data?.has_more === true && <div class="end">the first 100</div>}
        </header>
        <ol class="events">
          {all.map((event) => (
            <li key={event.id}>
              <time dateTime={event.created_at ?? ""} title={event.created_at ?? ""}>
                {event.created_at === null ? "–" : clock(event.created_at)}
              </time>
              <span class="quiet">
                {event.created_at !== null &&
                  start !== null &&
                  `+${duration(Date.parse(event.created_at) - Date.parse(start))}`}
              </span>
              <code>{event.type}</code>
              <span class="said">
                {Object.entries(record(event.data))
                  .map(
                    ([name, value]) =>
                      `${name} ${typeof value === "number" ? small(value) : typeof value === "string" ? value : JSON.stringify(value)}`,
                  )
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ol>
        {events.data !== undefined && all.length === 0 && <p class="empty">No events yet.</p>}
      </section>
      <section class="card" aria-labelledby="log">
        <header>
          <h3 id="log">Log of the trainer</h3>
          <div class="end">{log.data !== undefined && log.data.attempt > 0 && `attempt ${log.data.attempt}`}</div>
        </header>
        {log.data !== undefined && log.data.lines.length === 0 ? (
          <p class="empty">The trainer wrote nothing to standard error.</p>
        ) : (
          <div class="pre tall" tabIndex={0} role="region" aria-label="The last lines of the log">
            {log.data?.cut === true && "…\n"}
            <LongText text={(log.data?.lines ?? []).slice(-60).join("\n")} />
          </div>
        )}
      </section>
      {config.length > 0 && (
        <section class="card" aria-labelledby="config">
          <header>
            <h3 id="config">Settings</h3>
          </header>
          <dl class="metrics">
            {config.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {typeof value === "number" ? small(value) : typeof value === "string" ? value : JSON.stringify(value)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </section>
  );
}
