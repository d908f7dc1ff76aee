import type { TrajectoryGroup } from "@trainyard/training";
import { bodyOf } from "../store/commands/logs.ts";
import type { Database } from "../store/database.ts";
import { bytes, text } from "../store/row.ts";

interface Body {
  readonly trajectory_groups: readonly TrajectoryGroup[];
}

/** The body that was parsed last, as long as memory allows: groups of one log are often read one after the other. */
let last: { readonly name: string; readonly body: WeakRef<Body> } | undefined;

/** The group as it was sent. The document validated it then. */
export function rawGroup(database: Database, id: string, group: string): TrajectoryGroup {
  const [source = "", place] = group.split(".");
  const name = `${id} ${source}`;
  const body = (last?.name === name && last.body.deref()) || readBody(database, id, source);
  last = { name, body: new WeakRef(body) };
  return body.trajectory_groups[Number(place)] ?? { trajectories: [] };
}

function readBody(database: Database, id: string, source: string): Body {
  const isJob = source.startsWith("j");
  const params = { id, seq: Number(source.replace("j", "")) };
  const row = isJob
    ? database.get("select request as body from jobs where model_id = :id and seq = :seq", params)
    : database.get("select body from logs where model_id = :id and seq = :seq", params);
  return row ? JSON.parse(isJob ? text(row, "body") : bodyOf(bytes(row, "body"))) : { trajectory_groups: [] };
}
