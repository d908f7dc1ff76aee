import { contentHash, type Validator } from "@trainyard/host";
import { formatLoc, isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { plainArtifact } from "../chat/model-name.ts";
import { parseArtifactUrl } from "../jobs/training-data.ts";
import { rawJson } from "../objects/raw-json.ts";
import { formatMicros, parseMicros } from "../statistics/instant.ts";
import type { ImportKind } from "./kinds.ts";
import { faultsOfLine, readLogLine, type FieldUse } from "./log-line.ts";

/** Why a line is invalid, as a sentence. */
export class LineError extends Error {
  override readonly name = "LineError";
}

/** What lines are validated with. */
export interface RecordJudges {
  readonly control: Validator;
  readonly training: Validator;
  readonly auxiliary: Validator;
  /** The time, in milliseconds. */
  readonly now: () => number;
}

/** What a line is read with besides: its number, the address of its file, and what counts the fields of logs. */
interface LineJudges extends RecordJudges {
  readonly as: string | undefined;
  readonly line: number;
  readonly use: FieldUse;
}

const payloadLimit = 2 ** 20;

/** The message if no address is given for artifacts. */
export const noArtifact = "Name the artifact with --as artifact:///entity/project/name:version.";

/**
 * Reads a line and returns what the store stages, as JSON.
 *
 * @throws LineError if it is invalid, or if `as` is not the address of an artifact
 */
export function readRecord(kind: ImportKind, line: string, judges: LineJudges): string {
  const read = {
    models: readModel,
    jobs: readJob,
    feedback: readFeedback,
    objects: readObject,
    hardware: readHardware,
    artifacts: readArtifact,
    logs: readLog,
  }[kind];
  return read(line, judges);
}

function readModel(line: string, { control, training }: RecordJudges): string {
  const record = parse(line, (value) => [
    ...control.at("#/components/schemas/ModelRecord", value),
    ...faultsOfItems(value, "checkpoints", (item) => training.at("#/components/schemas/Checkpoint", item)),
  ]);
  return JSON.stringify({ run_id: null, checkpoints: [{ id: crypto.randomUUID(), step: 0, metrics: {} }], ...record });
}

function readJob(line: string, { control, training }: RecordJudges): string {
  const record = parse(line, (value) => [
    ...control.at("#/components/schemas/JobRecord", value),
    ...faultsOfItems(value, "events", (item) => training.at("#/components/schemas/TrainingJobEvent", item)),
  ]);
  const { training_start: start, training_end: end, ...rest } = record;
  const time = (value: unknown) => (typeof value === "string" ? Number(parseMicros(value) / 1000n) : null);
  const { error_message = null, training_data_url = null } = record;
  return JSON.stringify({
    ...rest,
    training_start: time(start),
    training_end: time(end),
    error_message,
    training_data_url: typeof training_data_url === "string" ? plainArtifact(training_data_url) : null,
  });
}

/** The faults of the items of a property, each with its location. */
function faultsOfItems(value: unknown, property: string, judge: (item: unknown) => Fault[]): Fault[] {
  const items = isObject(value) ? value[property] : undefined;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item, index) =>
    judge(item).map((fault) => ({ ...fault, loc: [property, index, ...fault.loc] })),
  );
}

function readFeedback(line: string, { control }: RecordJudges): string {
  const record = parse(line, (value) => control.at("#/components/schemas/FeedbackRecord", value));
  const created = parseMicros(String(record["created_at"]));
  if (created < earliest || created > latest) throw new LineError("created_at: The year must be from 1700 to 2250.");
  if (new TextEncoder().encode(JSON.stringify(record["payload"])).length > payloadLimit)
    throw new LineError(`payload: It is larger than ${payloadLimit} bytes.`);
  const { project_id: project, ...rest } = record;
  return JSON.stringify({ trigger_ref: null, ...rest, project, created_at: Number(created) });
}

function readObject(line: string, { control, now }: RecordJudges): string {
  const record = parse(line, (value) => control.at("#/components/schemas/ObjectRecord", value));
  const given = "val" in record;
  if (given === "digest" in record)
    throw new LineError("Pass either val (a new version) or digest (an existing version).");
  // Numbers as they were written: the digest depends on them.
  const val = given ? JSON.stringify(Reflect.get(Object(rawJson(line)), "val")) : null;
  const time = (value: unknown) => (typeof value === "string" ? formatMicros(parseMicros(value)) : null);
  const names = (value: unknown) =>
    Array.isArray(value) ? JSON.stringify([...new Set(value.map(String))].sort()) : null;
  return JSON.stringify({
    project: record["project_id"],
    object_id: record["object_id"],
    digest: val === null ? record["digest"] : contentHash(val),
    val,
    created_at: time(record["created_at"]) ?? formatMicros(BigInt(Math.trunc(now())) * 1000n),
    kind: record["kind"] ?? "object",
    base_object_class: record["base_object_class"] ?? null,
    leaf_object_class: record["leaf_object_class"] ?? null,
    wb_user_id: record["wb_user_id"] ?? null,
    deleted_at: time(record["deleted_at"]),
    tags: names(record["tags"]),
    aliases: names(record["aliases"]),
  });
}

function readHardware(line: string, { control, auxiliary }: RecordJudges): string {
  const { model, ...option } = parse(line, (value) => [
    ...control.at("#/components/schemas/HardwareRecord", value),
    ...auxiliary.at("#/components/schemas/HardwareOption", value).filter(({ loc }) => loc[0] !== "id"),
  ]);
  return JSON.stringify({ model, id: option["id"], option });
}

function readLog(text: string, { line, as, use, ...judges }: LineJudges): string {
  return readLogLine(
    parse(text, (value) => faultsOfLine(value, { ...judges, as })),
    line,
    as,
    use,
  );
}

function readArtifact(line: string, { control, training, as }: LineJudges): string {
  const name = parseArtifactUrl(as ?? "");
  if (name === undefined) throw new LineError(noArtifact);
  parse(line, (value) => {
    const faults = control.at("#/components/schemas/TrainingExample", value);
    if (faults.length > 0 || !isObject(value)) return faults;
    const { messages, ...rest } = value;
    const history = training.at("#/components/schemas/History", { messages_and_choices: messages, ...rest });
    return history.map((fault) => ({ ...fault, loc: ["messages", ...fault.loc.slice(1)] }));
  });
  return JSON.stringify({ ...name, data: line.trim() });
}

function parse(line: string, judge: (value: unknown) => Fault[]): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineError(notFinite(line) ?? "It is not valid JSON.");
  }
  const faults = judge(value);
  if (faults.length > 0 || !isObject(value)) {
    throw new LineError(faults.map(({ loc, msg }) => (loc.length > 0 ? `${formatLoc(loc)}: ${msg}` : msg)).join("; "));
  }
  return value;
}

/** Where a line has a number that Python writes and JSON does not have. */
function notFinite(line: string): string | undefined {
  const mark = crypto.randomUUID();
  const marked = line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
    found.startsWith('"') ? found : JSON.stringify(`${mark}${found}`),
  );
  const find = (value: unknown, loc: (string | number)[]): string | undefined => {
    if (typeof value === "string" && value.startsWith(mark))
      return `${formatLoc(loc)}: ${value.slice(mark.length)} is no number of JSON, although Python writes it. Leave the field out, or write a number.`;
    const parts = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
    return parts.map(([key, part]) => find(part, [...loc, key])).find((found) => found !== undefined);
  };
  try {
    return marked === line ? undefined : find(JSON.parse(marked), []);
  } catch {
    return undefined;
  }
}

const earliest = parseMicros("1700-01-01T00:00:00Z");
const latest = parseMicros("2250-12-31T23:59:59Z");
