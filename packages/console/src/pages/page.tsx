/** @jsxImportSource preact */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../api/use-read.ts";
import { Frame } from "../parts/frame.tsx";
import type { RunPageProps } from "../parts/run-page.tsx";
import { Failed, Notice, Waiting } from "../parts/states.tsx";
import { useAddress, type Address } from "../state/address.ts";
import { OverviewPage } from "./overview-page.tsx";
import { RolloutsPage } from "./rollouts-page.tsx";
import { RunsPage } from "./runs-page.tsx";

const more = () => import("./more-pages.ts");
const ComparePage = loaded(async () => (await more()).ComparePage);
const GroupPage = loaded(async () => (await more()).GroupPage);
const JobsPage = loaded(async () => (await more()).JobsPage);
const TaskPage = loaded(async () => (await more()).TaskPage);
const TasksPage = loaded(async () => (await more()).TasksPage);

const runPages = new Map<string, FunctionComponent<RunPageProps>>([
  ["", OverviewPage],
  ["tasks", TasksPage],
  ["rollouts", RolloutsPage],
  ["jobs", JobsPage],
]);

/** The page of the current address. */
export function Page() {
  const address = useAddress();
  const [first, run] = address.parts;
  if (first === undefined) return <RunsPage query={address.query} />;
  // Another run gets a new page, so that nothing of the previous one stays on it.
  if (first === "runs" && run !== undefined) return <RunPages key={run} run={run} {...address} />;
  if (first === "compare") return <ComparePage query={address.query} />;
  return <NotFound />;
}

function RunPages({ run, query, parts: [, , page = "", item] }: Address & { readonly run: string }) {
  const { data: detail, error } = useRead({ path: "/runs/{run_id}", params: { run_id: run } }, run);
  if (error !== undefined) return <Failed error={error} what="Run" />;
  if (page === "groups" && item !== undefined) return <GroupPage group={item} {...{ run, detail, query }} />;
  if (page === "tasks" && item !== undefined) return <TaskPage key={item} task={item} {...{ run, detail, query }} />;
  const Found = runPages.get(page);
  return Found === undefined ? <NotFound /> : <Found {...{ run, detail, query }} />;
}

function NotFound() {
  return (
    <Frame title="Not found">
      <Notice title="This page does not exist" />
    </Frame>
  );
}

/** A page whose code is loaded when it is shown for the first time. */
function loaded<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let Found: FunctionComponent<P> | undefined;
  return function Loaded(props: P) {
    const [state, setState] = useState<"waits" | "loaded" | "failed">("waits");
    useEffect(() => {
      const show = (page: FunctionComponent<P>) => {
        Found = page;
        setState("loaded");
      };
      load().then(show, () => setState("failed"));
    }, []);
    if (Found !== undefined) return <Found {...props} />;
    if (state === "waits") return <Waiting height={600} />;
    return (
      <Frame title="Not loaded">
        <Notice title="This page could not be loaded" text="The server may have been updated. Load the page again." />
      </Frame>
    );
  };
}
