/** @jsxImportSource preact */
import type { RunDetail } from "@trainyard/local";
import { ago, count } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { useNow } from "../state/now.ts";
import { CopyLink } from "./buttons.tsx";
import { Facts } from "./card.tsx";
import type { RunPageProps } from "./run-page.tsx";

/** The state of a run or of a job. */
export function State({ state, text }: { readonly state: string; readonly text: string }) {
  return (
    <span class={`state ${state}`}>
      <i aria-hidden="true" />
      {text}
    </span>
  );
}

/** The state of a run, as text. */
export function stateText(state: string, step: number): string {
  if (state === "training") return `Training step ${step + 1}`;
  if (state === "queued") return "Waiting to train";
  if (state === "failed") return `Failed at step ${step}`;
  return `Idle at step ${step}`;
}

/** The name of a run, its state, and links to its pages. */
export function RunHead({ detail, tab }: { readonly detail: RunDetail } & Pick<RunPageProps, "tab">) {
  const { run } = detail;
  const now = useNow();
  const tabs = { Overview: undefined, Groups: detail.groups, Rollouts: run.rollouts, Jobs: detail.jobs };
  const passed = (time: string | null) => <span title={time ?? ""}>{ago(time, now)}</span>;
  return (
    <>
      <div class="head">
        <div>
          <div class="title">
            <h1>{run.name}</h1>
            <State state={run.state} text={stateText(run.state, run.step)} />
          </div>
          <Facts
            facts={[
              ["base", run.base_model],
              ["step", count(run.step)],
              ["started", passed(run.created_at)],
              ["last event", passed(run.last_at)],
            ]}
          />
        </div>
        <div class="actions">
          <CopyLink />
        </div>
      </div>
      <nav class="tabs" aria-label="Pages of this run">
        {Object.entries(tabs).map(([name, number]) => (
          <a
            key={name}
            href={hrefOf(["runs", run.id, ...(name === "Overview" ? [] : [name.toLowerCase()])])}
            {...(name === tab && { "aria-current": "page" as const })}
          >
            {name} {number !== undefined && <span>{count(number)}</span>}
          </a>
        ))}
      </nav>
    </>
  );
}
