/** @jsxImportSource preact */
import type { RunDetail } from "@trainyard/local";
import type { ComponentChildren } from "preact";
import type { Read } from "../api/use-read.ts";
import { go, hrefOf } from "../state/address.ts";
import type { KeyBinding } from "../state/keys.ts";
import { Frame, type Crumb } from "./frame.tsx";
import { RunHead } from "./run-head.tsx";
import { Failed } from "./states.tsx";

export interface RunPageProps {
  readonly run: string;
  readonly detail: Read<RunDetail>;
  readonly tab: "Overview" | "Groups" | "Rollouts" | "Jobs";
  /** The keys of the page. By default, Escape leads back to the run. */
  readonly keys: readonly KeyBinding[];
  readonly isSlow?: boolean;
  readonly children: ComponentChildren;
}

/** A page of a run, below the run's name and its tabs. */
export function RunPage({ run, detail, tab, keys, isSlow = false, children }: RunPageProps) {
  const { data, error } = detail;
  if (error !== undefined) return <Failed error={error} what="Run" />;
  const isOverview = tab === "Overview";
  const crumbs = [
    ...crumbsOf(data),
    ...(isOverview ? [] : [{ text: tab, href: hrefOf(["runs", run, tab.toLowerCase()]) }]),
  ];
  const back = { keys: ["Escape"], what: "back to the run", run: () => go(hrefOf(["runs", run])) };
  const hasBack = keys.some((one) => one.keys.includes("Escape"));
  return (
    <Frame
      title={isOverview ? (data?.run.name ?? "Run") : `${tab} of ${data?.run.name ?? "a run"}`}
      crumbs={crumbs}
      keys={hasBack ? keys : [...keys, back]}
      isSlow={isSlow}
    >
      {data !== undefined && <RunHead detail={data} tab={tab} />}
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
