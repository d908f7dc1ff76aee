/** @jsxImportSource preact */
import { Frame } from "../parts/frame.tsx";
import { Notice } from "../parts/states.tsx";
import { hrefOf, useAddress } from "../state/address.ts";
import { GroupPage } from "./group-page.tsx";
import { GroupsPage } from "./groups-page.tsx";
import { JobsPage } from "./jobs-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { RolloutsPage } from "./rollouts-page.tsx";
import { RunsPage } from "./runs-page.tsx";

/** The page of the current address. */
export function Page() {
  const { parts, query } = useAddress();
  const [first, run = "", page, id] = parts;
  if (first === undefined) return <RunsPage query={query} />;
  if (first === "runs" && run !== "") {
    // Another run gets a new page, so that nothing of the previous one stays on it.
    if (page === undefined) return <OverviewPage key={run} run={run} query={query} />;
    if (page === "groups" && id !== undefined) return <GroupPage key={run} run={run} group={id} query={query} />;
    if (page === "groups") return <GroupsPage key={run} run={run} query={query} />;
    if (page === "rollouts") return <RolloutsPage key={run} run={run} query={query} />;
    if (page === "jobs") return <JobsPage key={run} run={run} query={query} />;
  }
  return (
    <Frame title="Not found">
      <Notice title="This page does not exist">
        <p>
          <a href={hrefOf([])}>All runs</a>
        </p>
      </Notice>
    </Frame>
  );
}
