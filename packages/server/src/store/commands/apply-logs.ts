import type { TrajectoryGroup } from "@trainyard/training";
import { readGroup } from "../../console/group-facts.ts";
import type { LogOf } from "../../import/log-line.ts";
import { logMetrics, mostNames } from "../../logs/log-metrics.ts";
import { number, text } from "../row.ts";
import { setMetrics } from "./checkpoints.ts";
import type { Context } from "./context.ts";
import { storeLog } from "./logs.ts";
import { createModel, findModel } from "./models.ts";

/** A group as lines have it. */
type LineGroup = TrajectoryGroup & { readonly task?: string };

/** A larger log is stored as several. */
const mostText = 2 ** 22;

/** Where a step of a run is stored, and its groups without their conversations, from which its metrics are calculated. */
interface Place {
  readonly modelId: string;
  readonly step: number;
  readonly split: string;
  readonly measured: TrajectoryGroup[];
}

/** Applies lines of logs in the order of the file. Groups that follow each other, of one step, split and time, are a log. */
export function applyLogs(context: Context, importId: string): void {
  const { now } = context;
  const places = new Map<string, Place>();
  let open: { place: Place; time: string; groups: TrajectoryGroup[]; size: number } | undefined;
  const close = () => {
    if (open === undefined) return;
    const { modelId, step, split } = open.place;
    const body = new TextEncoder().encode(JSON.stringify({ split, trajectory_groups: open.groups }));
    const created = open.time === "" ? now : Number(open.time);
    storeLog(context, { modelId, step, split, created, body }, open.groups.map(readGroup));
  };
  for (const { of, time, lines } of stagedGroups(context, importId)) {
    const place = places.get(of) ?? placeOf(context, importId, JSON.parse(of));
    places.set(of, place);
    if (open?.place !== place || open.time !== time || open.size > mostText) {
      close();
      open = { place, time, groups: [], size: 0 };
    }
    const parts = lines.map((line) => bodyOf(context, importId, line));
    open.size += parts.reduce((sum, { length }) => sum + length, 0);
    const group = groupOf(parts.map((part): LineGroup => JSON.parse(part)));
    open.groups.push(group);
    const trajectories = group.trajectories.map(({ reward = 0, metrics = {} }) => ({ reward, metrics }));
    place.measured.push({ trajectories, exceptions: group.exceptions ?? [], metrics: group.metrics ?? {} });
  }
  close();
  for (const { modelId, step, split, measured } of places.values()) {
    const { metrics } = logMetrics({ split, trajectory_groups: measured });
    setMetrics(context, { modelId, step }, metrics, { prefix: `${split}/`, most: mostNames });
  }
}

/** The groups of the lines, each with the log that it belongs to, and the time of its first line. */
function stagedGroups({ database }: Context, importId: string) {
  const groups = new Map<string, { readonly of: string; readonly time: string; readonly lines: number[] }>();
  const heads = "select line, substr(record, 1, instr(record, char(9) || '{') - 1) as head from import_lines";
  for (const row of database.all(`${heads} where import_id = :importId order by line`, { importId })) {
    const [of = "", time = "", name = ""] = text(row, "head").split("\t");
    const key = `${of}\t${name}`;
    const group = groups.get(key) ?? { of, time, lines: [] };
    groups.set(key, group);
    group.lines.push(number(row, "line"));
  }
  return groups.values();
}

function bodyOf({ database }: Context, importId: string, line: number): string {
  const body = "select substr(record, instr(record, char(9) || '{') + 1) as body from import_lines";
  const row = database.get(`${body} where import_id = :importId and line = :line`, { importId, line });
  return row ? text(row, "body") : "{}";
}

/** The run of a log, which is created if there is none, with its step. */
function placeOf(context: Context, importId: string, of: LogOf): Place {
  const [entity, project, name, baseModel, step, split] = of;
  const { database, now } = context;
  const model =
    findModel(context, { entity, project, name }) ??
    createModel(context, { entity, project, name, baseModel, returnExisting: true });
  if (typeof model === "string") throw new TypeError(`The run ${name} could not be created: ${model}.`);
  const modelId = model.id;
  database.run("insert into imported(import_id, model_id) values(:importId, :modelId) on conflict do nothing", {
    importId,
    modelId,
  });
  database.run(
    "insert into checkpoints(id, model_id, step, created) values(:id, :modelId, :step, :now) on conflict(model_id, step) do nothing",
    { id: crypto.randomUUID(), modelId, step, now },
  );
  database.run("update models set last_step = max(last_step, :step) where id = :modelId", { modelId, step });
  return { modelId, step, split, measured: [] };
}

/** The group of some lines. A task that its metadata and prompt do not give is kept as its metadata. */
function groupOf(parts: readonly LineGroup[]): TrajectoryGroup {
  const [{ task, ...first } = { trajectories: [] }] = parts;
  const trajectories = parts.flatMap((part) => part.trajectories);
  const group = { ...first, trajectories, exceptions: parts.flatMap(({ exceptions = [] }) => exceptions) };
  if (task === undefined || readGroup({ ...group, trajectories: trajectories.slice(0, 1) }).task === task) return group;
  return { ...group, metadata: { ...group.metadata, task } };
}
