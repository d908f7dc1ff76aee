/** @jsxImportSource preact */
import type { RunDetail } from "@trainyard/local";
import type { JSX } from "preact";
import { ago, count } from "../format/format.ts";
import { hrefOf, isPart } from "../state/address.ts";
import { useNow } from "../state/now.ts";

export interface RunHeadProps {
  readonly detail: RunDetail;
  readonly tab: "overview" | "groups" | "rollouts" | "jobs";
}

/** The state of a run, as text. */
export function stateText(state: string, step: number): string {
  if (state === "training") return `Training step ${step + 1}`;
  if (state === "queued") return "Waiting to train";
  if (state === "failed") return `Failed at step ${step}`;
  return `Idle at step ${step}`;
}

/** The name of a run, its state, and links to its pages. */
export function RunHead({ detail, tab }: RunHeadProps): JSX.Element {
  const { run, indexed } = detail;
  const now = useNow();
  const tabs = [
    ["overview", "Overview", undefined, hrefOf(["runs", run.id])],
    ["groups", "Groups", detail.groups, hrefOf(["runs", run.id, "groups"])],
    ["rollouts", "Rollouts", run.rollouts, hrefOf(["runs", run.id, "rollouts"])],
    ["jobs", "Jobs", detail.jobs, hrefOf(["runs", run.id, "jobs"])],
  ] as const;
  return (
    <>
      <div class="head">
        <div>
          <div class="title">
            <h1>{run.name}</h1>
            <span class={`state ${run.state}`}>
              <i aria-hidden="true" />
              {stateText(run.state, run.step)}
            </span>
          </div>
          <p class="facts">
            <span>
              base <b>{run.base_model}</b>
            </span>
            <span>
              step <b>{count(run.step)}</b>
            </span>
            <span>
              started <b title={run.created_at ?? ""}>{ago(run.created_at, now)}</b>
            </span>
            <span>
              last event <b title={run.last_at ?? ""}>{ago(run.last_at, now)}</b>
            </span>
          </p>
        </div>
        <div class="actions">
          {!isPart() && (
            <button type="button" class="button" onClick={() => void navigator.clipboard.writeText(location.href)}>
              Copy link
            </button>
          )}
        </div>
      </div>
      {indexed.done < indexed.of && (
        <p class="reading" role="status">
          Reading {count(indexed.done)} of {count(indexed.of)} logs and jobs. What has been read is shown.
        </p>
      )}
      <nav class="tabs" aria-label="Pages of this run">
        {tabs.map(([name, text, number, href]) => (
          <a key={name} href={href} {...(name === tab && { "aria-current": "page" as const })}>
            {text} {number !== undefined && <span>{count(number)}</span>}
          </a>
        ))}
      </nav>
    </>
  );
}
