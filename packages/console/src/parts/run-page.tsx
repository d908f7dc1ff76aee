/** @jsxImportSource preact */
import type { RunDetail } from "../api/answers.ts";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ago, count } from "../format/format.ts";
import { go, hrefOf } from "../state/address.ts";
import type { KeyBinding } from "../state/keys.ts";
import { useNow } from "../state/now.ts";
import { CopyLink } from "./buttons.tsx";
import { Facts } from "./card.tsx";
import { Frame, type Crumb } from "./frame.tsx";

/** What a page of a run shows: the run, its data once they are read, and the query of the address. */
export interface RunPageProps {
  readonly run: string;
  readonly detail: RunDetail | undefined;
  readonly query: URLSearchParams;
}

interface Props extends Pick<RunPageProps, "run" | "detail"> {
  readonly tab: "Overview" | "Tasks" | "Rollouts" | "Jobs";
  /** The keys of the page. By default, Escape leads back to the run. */
  readonly keys: readonly KeyBinding[];
  readonly children: ComponentChildren;
}

/** A page of a run, below the run's name and its tabs. */
export function RunPage({ run, detail, tab, keys, children }: Props) {
  const name = detail?.run.name;
  const isOverview = tab === "Overview";
  const here = { text: tab, href: hrefOf(["runs", run, tab.toLowerCase()]) };
  const back = { keys: ["Escape"], what: "back to the run", run: () => go(hrefOf(["runs", run])) };
  return (
    <Frame
      title={isOverview ? (name ?? "Run") : `${tab} of ${name ?? "a run"}`}
      crumbs={[...crumbsOf(detail), ...(isOverview ? [] : [here])]}
      keys={keys.some((one) => one.keys.includes("Escape")) ? keys : [...keys, back]}
    >
      {detail !== undefined && <RunHead detail={detail} tab={tab} />}
      {children}
    </Frame>
  );
}

/** The path to a run: its project and its name. */
export function crumbsOf(detail: RunDetail | undefined): Crumb[] {
  if (detail === undefined) return [];
  const { id, name, project } = detail.run;
  return [
    { text: project, href: hrefOf([], { project }) },
    { text: name, href: hrefOf(["runs", id]) },
  ];
}

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
  return `${state === "failed" ? "Failed" : "Idle"} at step ${step}`;
}

/** The name of a run, its state, and links to its pages. */
function RunHead({ detail, tab }: { readonly detail: RunDetail } & Pick<Props, "tab">) {
  const { run } = detail;
  const now = useNow();
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen, the last tabs are beyond its edge.
  useLayoutEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && here) nav.current.scrollLeft = here.offsetLeft + here.offsetWidth - nav.current.clientWidth;
  }, [tab]);
  const tabs = {
    Overview: undefined,
    Tasks: detail.tasks,
    Rollouts: run.rollouts,
    Jobs: detail.jobs,
  };
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
      <nav ref={nav} class="tabs" aria-label="Pages of this run">
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
