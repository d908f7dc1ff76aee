import type { CreateRlTrainingJobRequest, CreateSftTrainingJobRequest, LogRequest } from "@trainyard/training";
import { readGroup } from "../../console/group-facts.ts";
import type { Database, Row } from "../database.ts";
import { bytes, number, numberFrom, numberOrNull, text } from "../row.ts";
import type { Context } from "./context.ts";
import { addLogged, addOrigins, addTrained } from "./groups.ts";
import { stepOf } from "./jobs.ts";
import { bodyOf } from "./logs.ts";

/** What a piece of work left to do, and the logs and jobs that cannot be read, each as a sentence. */
export interface DerivedPiece {
  readonly left: number;
  readonly damaged: readonly string[];
}

/**
 * Writes the rows of some logs and jobs that an earlier version stored, the logs first.
 *
 * @param budget milliseconds; at least one log or job is read
 */
export function deriveRows({ database }: Context, { budget }: { budget: number }): DerivedPiece {
  const end = performance.now() + budget;
  const damaged: string[] = [];
  for (;;) {
    const next = database.get("select * from underived limit 1");
    if (next === undefined) return { left: 0, damaged };
    const [source, seq] = [text(next, "source"), number(next, "seq")];
    const derived = { has: number(next, "has_rows") === 1, place: number(next, "place") };
    // A row that is missing belonged to a model that was deleted since.
    const row = database.get(`select * from ${source}s where seq = :seq`, { seq });
    const fault = row && (source === "log" ? deriveLog(database, row, derived) : deriveJob(database, row, derived));
    if (fault !== undefined) damaged.push(fault);
    database.run("delete from underived where source = :source and seq = :seq", { source, seq });
    if (performance.now() < end) continue;
    return { left: numberFrom(database, "select count(*) from underived"), damaged };
  }
}

/** Whether the rows of a log or a job are there already and are completed, or those before which place. */
interface Derived {
  readonly has: boolean;
  readonly place: number;
}

function deriveLog(database: Database, row: Row, { has, place }: Derived): string | undefined {
  const [seq, modelId] = [number(row, "seq"), text(row, "model_id")];
  return attempt(`log ${seq} of the model ${modelId}`, () => {
    const { trajectory_groups }: LogRequest = JSON.parse(bodyOf(bytes(row, "body")));
    const log = {
      modelId,
      seq,
      step: number(row, "step"),
      split: text(row, "split"),
      created: numberOrNull(row, "created"),
    };
    const groups = trajectory_groups.map(readGroup);
    return () =>
      has ? addOrigins(database, "log", seq, groups) : addLogged(database, log, groups.slice(place), place);
  });
}

function deriveJob(database: Database, row: Row, { has, place }: Derived): string | undefined {
  const [seq, modelId, created] = [number(row, "seq"), text(row, "model_id"), numberOrNull(row, "created")];
  return attempt(`training job ${text(row, "id")}`, () => {
    const request: Partial<CreateRlTrainingJobRequest & CreateSftTrainingJobRequest> = JSON.parse(text(row, "request"));
    const groups = (request.trajectory_groups ?? []).map(readGroup);
    if (has) return () => addOrigins(database, "job", seq, groups);
    const step = stepOf(database, { modelId, seq, created });
    const sequences = groups.reduce((sum, { attempts }) => sum + attempts, 0);
    const config = JSON.stringify(request.experimental_config ?? request.config ?? {});
    return () => {
      database.run(
        "update jobs set step = :step, groups = :groups, sequences = :sequences, config = :config where seq = :seq",
        { step, groups: groups.length, sequences, config, seq },
      );
      addTrained(database, { modelId, seq, step, created }, groups.slice(place), place);
    };
  });
}

/** Reads a body, and writes its rows. Returns a sentence if it cannot be read: then everything else is shown without it. */
function attempt(what: string, read: () => () => void): string | undefined {
  let write: () => void;
  try {
    write = read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The body of the ${what} cannot be read: ${reason}. The console shows the run without these rollouts. If you have a backup of the data, restore it.`;
  }
  write();
  return undefined;
}
