import type { TrajectoryGroup } from "@trainyard/training";
import { bodyOf } from "../store/commands/logs.ts";
import type { Database } from "../store/database.ts";
import { placeOf } from "../store/group-key.ts";
import { bytes, text } from "../store/row.ts";

interface Body {
  readonly trajectory_groups: readonly TrajectoryGroup[];
}

/** The body that was parsed last, as long as memory allows: groups of one log are often read one after the other. */
let last: { readonly name: string; readonly body: WeakRef<Body> } | undefined;

/** The group of a key as it was sent. The document validated it then. */
export function rawGroup(database: Database, id: string, key: number): TrajectoryGroup {
  const { source, seq, place } = placeOf(key);
  const name = `${id} ${source} ${seq}`;
  const body = (last?.name === name && last.body.deref()) || readBody(database, source, { id, seq });
  last = { name, body: new WeakRef(body) };
  return body.trajectory_groups[place] ?? { trajectories: [] };
}

function readBody(database: Database, source: "log" | "job", of: { id: string; seq: number }): Body {
  const column = source === "job" ? "request" : "body";
  const row = database.get(`select ${column} as body from ${source}s where model_id = :id and seq = :seq`, of);
  if (row === undefined) return { trajectory_groups: [] };
  return JSON.parse(source === "job" ? text(row, "body") : bodyOf(bytes(row, "body")));
}
