import {
  byExample,
  noOperation,
  refuse,
  refuseFault,
  type Handler,
  type Handlers as HostHandlers,
  type PlannedFaults,
  type Violation,
} from "@trainyard/host";
import type { PlannedFault } from "@trainyard/local";
import type { Clock } from "../clock.ts";
import type { Handlers } from "../http/service-types.ts";
import { addLines, type ImportParts } from "../import/imports.ts";
import { rawJson } from "../objects/raw-json.ts";
import { formatMicros, parseMicros } from "../statistics/instant.ts";
import { StoreRefusal } from "../store/refusal.ts";
import { prune } from "../jobs/prune.ts";
import type { Notice } from "../options.ts";
import type { Store } from "../store/store.ts";
import { consoleHandlers, noRun, type ConsoleParts } from "./console.ts";

/** What the control interface needs. */
export interface ControlParts extends ConsoleParts, ImportParts {
  readonly planned: PlannedFaults;
  readonly clock: Clock;
  readonly violations: Violation[];
  readonly notice: Notice;
  /** @param by the id of the key that asks for it */
  reset(by: string): Promise<void>;
}

/** The control interface. */
export function localHandlers(parts: ControlParts): Handlers<"local"> {
  const { store, planned, clock, violations } = parts;
  const time = () => ok({ now: formatMicros(BigInt(Math.trunc(clock.now())) * 1000n) });
  return {
    ...consoleHandlers(parts),
    "state.reset": async ({ keyId = "" }) => {
      await parts.reset(keyId);
      return done;
    },
    "state.prune": async ({ keyId = "", body }) => {
      const { logs_seconds: logs, trainer_logs_seconds: trainerLogs, dry_run: dryRun = false } = body;
      if (logs === undefined && trainerLogs === undefined) {
        return refuseFault(422, ["body", "logs_seconds"], "Name an age: logs_seconds, trainer_logs_seconds, or both.");
      }
      const pruned = await prune(body, { store, folders: parts.folders, now: clock.now() });
      for (const { entity, ...counts } of dryRun ? [] : pruned.entities) {
        const what = `${counts.logs} logs and ${counts.trainer_logs} trainer logs`;
        const event = { event: "logs.pruned", key_id: keyId, entity, ...counts } as const;
        parts.notice(`${what} of ${entity} were deleted by trainyard prune.`, event);
      }
      return ok(pruned);
    },
    "imports.begin": ({ owner: entity, body: { id, kind } }) => {
      const begun = store.call("imports.begin", { id: importOf(entity, id), kind, entity });
      return ofOneKind(
        begun.then((lines) => ({ lines, faults: [] })),
        id,
      );
    },
    "imports.add": ({ owner, body }) =>
      ofOneKind(addLines(parts, { ...body, id: importOf(owner, body.id) }, owner), body.id),
    "imports.finish": async ({ owner, keyId = "", body: { id } }) => {
      try {
        const finished = await store.call("imports.finish", { id: importOf(owner, id), entity: owner });
        if (finished === "not-begun") return notBegun(id);
        const { kind, records } = finished;
        const facts = { key_id: keyId, entity: owner, kind, records };
        parts.notice(`${records} records of ${kind} were imported.`, { event: "import.finished", ...facts });
        return ok({ records });
      } catch (error) {
        if (!(error instanceof StoreRefusal)) throw error;
        await store.call("imports.abort", { id: importOf(owner, id) });
        return refuse(409, error.message);
      }
    },
    "imports.abort": async ({ owner, body: { id } }) => {
      await store.call("imports.abort", { id: importOf(owner, id) });
      return done;
    },
    // The server's `fault` takes chunks of any type; the document lists the useful ones.
    "faults.list": async () => ok({ data: planned.list() as PlannedFault[] }),
    "faults.plan": async ({ body: fault }) => {
      if (!planned.knows(fault)) return refuseFault(422, ["body", "operation"], noOperation(fault.operation));
      planned.plan(fault);
      return done;
    },
    "faults.clear": async () => {
      planned.clear();
      return done;
    },
    "clock.get": async () => time(),
    "clock.set": async ({ body: { now, frozen } }) => {
      clock.set(now === null ? undefined : Number(parseMicros(now) / 1000n), frozen);
      return time();
    },
    "violations.list": async () => ok({ data: [...violations] }),
    "violations.clear": async () => {
      violations.length = 0;
      return done;
    },
    "logs.list": async ({ query: { model_id: modelId, after = 0, limit = 20 } }) => {
      // One more than is returned, which shows whether more follow.
      const logs = await store.call("logs.list", { modelId, after, limit: limit + 1 });
      const data = logs.slice(0, limit).map(({ body, ...log }) => ({ ...log, body: rawJson(body) }));
      return ok({ data, has_more: logs.length > limit });
    },
  };
}

/** The id of an import in the store: those of an entity do not meet those of others. */
const importOf = (owner: string, id: string) => (owner === "*" ? id : `${owner}/${id}`);

/** Answers requests for a run only to the control key, other keys of `*`, and keys of the run's entity. */
export function ownRunsOnly(handlers: HostHandlers, store: Store): HostHandlers {
  const guarded = (handler: Handler): Handler => {
    return async (call) => {
      const { owner: entity, path } = call;
      const id = path["run_id"];
      const isOwn =
        entity === "*" || id === undefined || (await store.read("models.get", { entity, id })) !== undefined;
      return isOwn ? handler(call) : refuse(404, noRun);
    };
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, one]) => [name, one === byExample ? one : guarded(one)]),
  );
}

const ok = <Body>(body: Body) => ({ status: 200, body }) as const;
const done = ok({ status: "ok" } as const);

/** The state of an import, or why its kind is refused. */
async function ofOneKind(state: ReturnType<typeof addLines>, id: string) {
  try {
    const found = await state;
    return found === "not-begun" ? notBegun(id) : ok(found);
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    return refuseFault(422, ["body", "kind"], error.message);
  }
}

function notBegun(id: string) {
  return refuseFault(422, ["body", "id"], `There is no import ${id}. Begin it first.`);
}
