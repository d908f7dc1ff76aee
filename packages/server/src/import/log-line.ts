import { isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { defaultEntity } from "../http/keys.ts";
import { parseMicros } from "../statistics/instant.ts";
import type { Trajectory } from "@trainyard/training";
import type { RecordJudges } from "./record-readers.ts";

/** The log that a line belongs to. Lines of one group have the same. */
export type LogOf = readonly [entity: string, project: string, name: string, base: string, step: number, split: string];

/** Whether a field of a line was compared with the body; the others say nothing that is read. */
export type FieldUse = (field: string, use: "checked" | "ignored") => void;

/** What is read of a trajectory. */
const ofTrajectory: Readonly<Record<keyof Trajectory, true>> = {
  messages_and_choices: true,
  tools: true,
  additional_histories: true,
  reward: true,
  initial_policy_version: true,
  final_policy_version: true,
  metrics: true,
  metadata: true,
  logs: true,
  start_time: true,
};

const read = new Set(
  "run step split time group trajectory exception trajectories exceptions task metadata metrics logs".split(" "),
);

/** The faults of a line of logs, each with its cure. */
export function faultsOfLine(
  value: unknown,
  { control, training, as }: RecordJudges & { as: string | undefined },
): Fault[] {
  const faults = control.at("#/components/schemas/LogRecord", value);
  if (faults.length > 0 || !isObject(value)) return faults;
  const wrong = (loc: Fault["loc"], msg: string): Fault[] => [{ loc, msg, type: "value_error" }];
  const { run, trajectory, exception, trajectories, exceptions, attempt } = value;
  if (run === undefined && runOf(as) === undefined)
    return wrong(
      ["run"],
      "It is missing. Add {project, name} to each line, or pass --as artifact:///entity/project/name.",
    );
  const isGroup = trajectories !== undefined || exceptions !== undefined;
  const bodies = [trajectory, exception].filter((body) => body !== undefined && body !== null).length;
  if (bodies !== (isGroup ? 0 : 1))
    return wrong(["trajectory"], "A line has either a trajectory, or an exception, or the lists of a group.");
  const body = training.at("#/components/schemas/TrajectoryGroup", groupOf(value));
  if (body.length > 0) return isGroup ? body : body.map((fault) => ({ ...fault, loc: asAttempt(fault.loc) }));
  const { reward, exception: type } = isObject(attempt) ? attempt : {};
  const said = isObject(trajectory) ? (trajectory["reward"] ?? 0) : null;
  if (!isGroup && reward !== undefined && reward !== said)
    return wrong(
      ["attempt", "reward"],
      `It is ${JSON.stringify(reward)}, and the trajectory says ${JSON.stringify(said)}. Correct one, or leave attempt out.`,
    );
  const thrown = isObject(exception) ? exception["type"] || "Exception" : null;
  if (!isGroup && type !== undefined && type !== thrown)
    return wrong(
      ["attempt", "exception"],
      `It is ${JSON.stringify(type)}, and the exception says ${JSON.stringify(thrown)}. Correct one, or leave attempt out.`,
    );
  return [];
}

/** What is staged of a valid line: the log, the time in milliseconds or "", and the group, each after a tab; then its body. */
export function readLogLine(value: JsonObject, line: number, as: string | undefined, use: FieldUse): string {
  for (const field of Object.keys(value))
    if (field === "attempt") {
      for (const part of Object.keys(Object(value["attempt"])))
        use(`attempt.${part}`, part === "reward" || part === "exception" ? "checked" : "ignored");
    } else if (!read.has(field)) use(field, "ignored");
  for (const trajectory of [value["trajectory"], value["trajectories"]].flat())
    for (const field of Object.keys(Object(trajectory)))
      if (!Object.hasOwn(ofTrajectory, field)) use(`trajectory.${field}`, "ignored");
  const { entity = defaultEntity, project, name, base_model: base = "unknown" } = Object(value["run"] ?? runOf(as));
  const of: LogOf = [entity, project, name, base, Number(value["step"]), String(value["split"])];
  const time = typeof value["time"] === "string" ? String(parseMicros(value["time"]) / 1000n) : "";
  // Only what names itself can have others beside it.
  const isAlone = "trajectories" in value || "exceptions" in value || (value["group"] ?? null) === null;
  const group = isAlone ? `line ${line}` : `group ${JSON.stringify(String(value["group"]))}`;
  const task = typeof value["task"] === "string" ? { task: value["task"] } : {};
  return [JSON.stringify(of), time, group, JSON.stringify({ ...groupOf(value), ...task })].join("\t");
}

function groupOf({ trajectory, exception, trajectories, exceptions, metadata, metrics, logs }: JsonObject): JsonObject {
  const one = (body: unknown) => (body === undefined || body === null ? [] : [body]);
  return {
    trajectories: trajectories ?? one(trajectory),
    exceptions: exceptions ?? one(exception),
    ...(metadata !== undefined && { metadata }),
    ...(metrics !== undefined && { metrics }),
    ...(logs !== undefined && { logs }),
  };
}

function asAttempt([list, index, ...rest]: Fault["loc"]): Fault["loc"] {
  if (list === "trajectories") return ["trajectory", ...rest];
  return list === "exceptions" ? ["exception", ...rest] : [list, index, ...rest].filter((part) => part !== undefined);
}

/** The run of an address. */
function runOf(address: string | undefined): object | undefined {
  const [, entity, project, name] = /^artifact:\/\/\/([^/:]+)\/([^/:]+)\/([^/:]+)$/.exec(address ?? "") ?? [];
  return name === undefined ? undefined : { entity, project, name };
}
