import type { TrajectoryGroup } from "@trainyard/training";
import { bodyOf } from "../store/commands/logs.ts";
import type { Database } from "../store/database.ts";
import { placeOf } from "../store/group-key.ts";
import { bytes, text } from "../store/row.ts";

interface Body {
  readonly trajectory_groups: readonly TrajectoryGroup[];
}

/** The body of each database that was parsed last, as long as memory allows: groups of one log are often read one after the other. */
const lastOf = new WeakMap<Database, { readonly name: string; readonly body: WeakRef<Body> }>();

/**
 * The group of a key as it was sent. The document validated it then.
 *
 * @param isWanted tells of the text of a body whether it is parsed; otherwise the group is undefined
 */
export function rawGroup(
  database: Database,
  id: string,
  key: number,
  isWanted?: (body: string) => boolean,
): TrajectoryGroup | undefined {
  const { source, seq, place } = placeOf(key);
  const name = `${id} ${source} ${seq}`;
  const last = lastOf.get(database);
  let body = last?.name === name ? last.body.deref() : undefined;
  if (body === undefined) {
    const text = bodyText(database, source, { id, seq });
    if (isWanted?.(text) === false) return undefined;
    body = JSON.parse(text) as Body;
    lastOf.set(database, { name, body: new WeakRef(body) });
  }
  return body.trajectory_groups[place] ?? { trajectories: [] };
}

function bodyText(database: Database, source: "log" | "job", of: { id: string; seq: number }): string {
  const column = source === "job" ? "request" : "body";
  const row = database.get(`select ${column} as body from ${source}s where model_id = :id and seq = :seq`, of);
  if (row === undefined) return '{"trajectory_groups":[]}';
  return source === "job" ? text(row, "body") : bodyOf(bytes(row, "body"));
}
