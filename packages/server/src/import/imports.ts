import type { AddLinesRequest, ImportState, LineFault } from "@trainyard/local";
import type { ImportKind } from "./kinds.ts";
import type { Result } from "../store/protocol.ts";
import type { FieldUse } from "./log-line.ts";
import type { Store } from "../store/store.ts";
import { LineError, readRecord, type RecordJudges } from "./record-readers.ts";

/** Imports data: lines are validated and staged, and become visible all at once. */
export class Imports {
  readonly #store: Store;
  readonly #judges: RecordJudges;

  constructor(store: Store, judges: RecordJudges) {
    this.#store = store;
    this.#judges = judges;
  }

  async begin(id: string, kind: ImportKind): Promise<ImportState> {
    return { lines: await this.#store.call("imports.begin", { id, kind }), faults: [] };
  }

  /** Validates and stages lines. If one is invalid, none is staged. */
  async add({ id, kind, as, from, lines, check = false }: AddLinesRequest): Promise<ImportState | "not-begun"> {
    const faults: LineFault[] = [];
    const records: { line: number; record: string }[] = [];
    const fields: Record<Parameters<FieldUse>[1], Record<string, number>> = { checked: {}, ignored: {} };
    const use: FieldUse = (field, how) => void (fields[how][field] = (fields[how][field] ?? 0) + 1);
    for (const [index, text] of lines.entries()) {
      if (text.trim() === "") continue;
      const line = from + index + 1;
      try {
        records.push({ line, record: readRecord(kind, text, { ...this.#judges, as, line, use }) });
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
        faults.push({ line, message: error.message });
      }
    }
    if (check) return { lines: from, faults };
    // Lines of another kind than that of the import have faults, too, which say nothing.
    const chunk = faults.length > 0 ? { to: from, records: [] } : { to: from + lines.length, records };
    const staged = await this.#store.call("imports.stage", { id, kind, from, ...chunk });
    if (staged === "not-begun") return staged;
    return faults.length > 0 ? { lines: from, faults } : { lines: staged, faults, ...(kind === "logs" && fields) };
  }

  /** Imports records as one file. @throws Error with the faults, if there are any; then nothing was imported */
  async addAll(kind: ImportKind, records: readonly object[], as?: string): Promise<void> {
    const id = crypto.randomUUID();
    await this.begin(id, kind);
    const lines = records.map((record) => JSON.stringify(record));
    const state = await this.add({ id, kind, ...(as !== undefined && { as }), from: 0, lines });
    if (state === "not-begun" || state.faults.length > 0) {
      await this.abort(id);
      const faults = state === "not-begun" ? [] : state.faults.map(({ line, message }) => `Record ${line}: ${message}`);
      throw new Error(["Nothing was imported.", ...faults].join(" "));
    }
    await this.finish(id, "*");
  }

  /** @param entity whose data the import may change; `*` for all */
  finish(id: string, entity: string): Promise<Result<"imports.finish">> {
    return this.#store.call("imports.finish", { id, entity });
  }

  abort(id: string): Promise<void> {
    return this.#store.call("imports.abort", { id });
  }
}
