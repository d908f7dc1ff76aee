/** @jsxImportSource preact */
import { render, type JSX } from "preact";
import { follow } from "./api/live.ts";
import { openConsole, ReadError } from "./api/read.ts";
import { Frame } from "./parts/frame.tsx";
import { Closed, Notice } from "./parts/states.tsx";
import { GroupPage } from "./pages/group-page.tsx";
import { GroupsPage } from "./pages/groups-page.tsx";
import { JobsPage } from "./pages/jobs-page.tsx";
import { OverviewPage } from "./pages/overview-page.tsx";
import { RolloutsPage } from "./pages/rollouts-page.tsx";
import { RunsPage } from "./pages/runs-page.tsx";
import { catchLinks, hrefOf, useAddress } from "./state/address.ts";
import { applyTheme } from "./state/theme.ts";

function Page(): JSX.Element {
  const { parts, query } = useAddress();
  const [first, run = "", page, id] = parts;
  if (first === undefined) return <RunsPage query={query} />;
  if (first === "runs" && run !== "") {
    // Another run is another page: nothing of the one before stays on it.
    if (page === undefined) return <OverviewPage key={run} run={run} query={query} />;
    if (page === "groups" && id !== undefined) return <GroupPage key={run} run={run} group={id} query={query} />;
    if (page === "groups") return <GroupsPage key={run} run={run} query={query} />;
    if (page === "rollouts") return <RolloutsPage key={run} run={run} query={query} />;
    if (page === "jobs") return <JobsPage key={run} run={run} query={query} />;
  }
  return (
    <Frame title="Not found">
      <Notice title="There is no such page">
        <p>
          <a href={hrefOf([])}>All runs</a>
        </p>
      </Notice>
    </Frame>
  );
}

async function start(): Promise<void> {
  applyTheme();
  const root = document.querySelector("#console");
  if (root === null) return;
  const code = location.hash.slice(1);
  if (/^[\w-]{16,}$/.test(code)) {
    // It stays in no history, and in no link that is copied.
    history.replaceState(null, "", location.pathname + location.search);
    try {
      await openConsole(code);
    } catch (error) {
      const message = error instanceof ReadError ? error.message : String(error);
      render(
        <Frame title="Console">
          <Closed message={message} />
        </Frame>,
        root,
      );
      return;
    }
  }
  catchLinks();
  render(<Page />, root);
  void follow();
}

void start();
