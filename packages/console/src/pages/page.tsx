/** @jsxImportSource preact */
import { useRead } from "../api/use-read.ts";
import { Frame } from "../parts/frame.tsx";
import { Failed, Notice } from "../parts/states.tsx";
import { useAddress, type Address } from "../state/address.ts";
import { GroupPage } from "./group-page.tsx";
import { GroupsPage } from "./groups-page.tsx";
import { JobsPage } from "./jobs-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { RolloutsPage } from "./rollouts-page.tsx";
import { RunsPage } from "./runs-page.tsx";

const runPages = new Map([
  ["", OverviewPage],
  ["groups", GroupsPage],
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
  return <NotFound />;
}

function RunPages({ run, query, parts: [, , page = "", group] }: Address & { readonly run: string }) {
  const { data: detail, error } = useRead({ path: "/runs/{run_id}", params: { run_id: run } }, run);
  if (error !== undefined) return <Failed error={error} what="Run" />;
  if (page === "groups" && group !== undefined) return <GroupPage {...{ run, group, detail, query }} />;
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
