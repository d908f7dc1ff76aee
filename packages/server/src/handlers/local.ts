import { noOperation, refuse, refuseFault, type PlannedFaults, type Violation } from "@trainyard/host";
import type { PlannedFault } from "@trainyard/local";
import type { Clock } from "../clock.ts";
import type { Handlers } from "../http/service-types.ts";
import type { Imports } from "../import/imports.ts";
import { rawJson } from "../objects/raw-json.ts";
import { formatMicros, parseMicros } from "../statistics/instant.ts";
import { StoreRefusal } from "../store/refusal.ts";
import { consoleHandlers, type ConsoleParts } from "./console.ts";

/** What the control interface needs. */
export interface ControlParts extends ConsoleParts {
  readonly imports: Imports;
  readonly planned: PlannedFaults;
  readonly clock: Clock;
  readonly violations: Violation[];
  reset(): Promise<void>;
}

/** The control interface. */
export function localHandlers(parts: ControlParts): Handlers<"local"> {
  const { store, imports, planned, clock, violations } = parts;
  const time = () => ok({ now: formatMicros(BigInt(Math.trunc(clock.now())) * 1000n) });
  return {
    ...consoleHandlers(parts),
    "state.reset": async () => {
      await parts.reset();
      return done;
    },
    "imports.begin": async ({ body: { id, kind } }) => ok(await imports.begin(id, kind)),
    "imports.add": async ({ body }) => {
      const state = await imports.add(body);
      return state === "not-begun" ? notBegun(body.id) : ok(state);
    },
    "imports.finish": async ({ body: { id } }) => {
      try {
        const records = await imports.finish(id);
        return records === "not-begun" ? notBegun(id) : ok({ records });
      } catch (error) {
        if (!(error instanceof StoreRefusal)) throw error;
        await imports.abort(id);
        return refuse(409, error.message);
      }
    },
    "imports.abort": async ({ body: { id } }) => {
      await imports.abort(id);
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

const ok = <Body>(body: Body) => ({ status: 200, body }) as const;
const done = ok({ status: "ok" } as const);

function notBegun(id: string) {
  return refuseFault(422, ["body", "id"], `There is no import ${id}. Begin it first.`);
}
