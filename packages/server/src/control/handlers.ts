import type { Clock } from "../clock.ts";
import {
  noOperation,
  refuse,
  refuseFault,
  type Answer,
  type Handler,
  type PlannedFault,
  type PlannedFaults,
  type Violation,
} from "@trainyard/host";
import type { Imports, Lines } from "../import/imports.ts";
import { rawJson } from "../objects/raw-json.ts";
import { formatMicros, parseMicros } from "../statistics/instant.ts";
import type { ImportKind } from "../import/kinds.ts";
import { StoreRefusal } from "../store/refusal.ts";
import type { Store } from "../store/store.ts";

/** What the control interface works with. */
export interface ControlParts {
  readonly store: Store;
  readonly imports: Imports;
  readonly planned: PlannedFaults;
  readonly clock: Clock;
  readonly violations: Violation[];
  reset(): Promise<void>;
}

/** The bodies that the control interface's own document allows. */
interface Bodies {
  "imports.begin": { id: string; kind: ImportKind };
  "imports.add": Lines;
  "imports.finish": { id: string };
  "imports.abort": { id: string };
  "faults.plan": PlannedFault;
  "clock.set": { now: string | null; frozen?: boolean };
}

/** The control interface. */
export function controlHandlers(parts: ControlParts): Readonly<Record<string, Handler>> {
  const { store, imports, planned, clock, violations } = parts;
  /** A handler of an operation with a body: the document has judged it, so that it is of the type. */
  const withBody =
    <N extends keyof Bodies>(_name: N, handle: (body: Bodies[N]) => Promise<Answer>): Handler =>
    ({ body }) =>
      handle(body as Bodies[N]);
  const time = () => ok({ now: formatMicros(BigInt(Math.trunc(clock.now())) * 1000n) });
  return {
    reset: async () => {
      await parts.reset();
      return done;
    },
    "imports.begin": withBody("imports.begin", async ({ id, kind }) => ok(await imports.begin(id, kind))),
    "imports.add": withBody("imports.add", async (lines) => {
      const state = await imports.add(lines);
      return state === "not-begun" ? notBegun(lines.id) : ok(state);
    }),
    "imports.finish": withBody("imports.finish", async ({ id }) => {
      try {
        const records = await imports.finish(id);
        return records === "not-begun" ? notBegun(id) : ok({ records });
      } catch (error) {
        if (!(error instanceof StoreRefusal)) throw error;
        await imports.abort(id);
        return refuse(409, error.message);
      }
    }),
    "imports.abort": withBody("imports.abort", async ({ id }) => {
      await imports.abort(id);
      return done;
    }),
    "faults.list": async () => ok({ data: planned.list() }),
    "faults.plan": withBody("faults.plan", async (fault) => {
      if (!planned.knows(fault)) return refuseFault(422, ["body", "operation"], noOperation(fault.operation));
      planned.plan(fault);
      return done;
    }),
    "faults.clear": async () => {
      planned.clear();
      return done;
    },
    "clock.get": async () => time(),
    "clock.set": withBody("clock.set", async ({ now, frozen }) => {
      clock.set(now === null ? undefined : Number(parseMicros(now) / 1000n), frozen);
      return time();
    }),
    "violations.list": async () => ok({ data: violations }),
    "violations.clear": async () => {
      violations.length = 0;
      return done;
    },
    "logs.list": async ({ query }) => {
      const { model_id: modelId, after, limit } = query;
      const page = { modelId: String(modelId), after: Number(after), limit: Number(limit) };
      const logs = await store.call("logs.list", page);
      return ok({ data: logs.map(({ body, ...log }) => ({ ...log, body: rawJson(body) })) });
    },
  };
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const done = ok({ status: "ok" });

function notBegun(id: string): Answer {
  return refuseFault(422, ["body", "id"], `There is no import ${id}. Begin it first.`);
}
