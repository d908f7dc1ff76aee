import type { AddLinesRequest, ImportState, LineFault } from "@trainyard/local";
import type { ImportKind } from "./kinds.ts";
import type { FieldUse } from "./log-line.ts";
import type { Store } from "../store/store.ts";
import { LineError, readRecord, type RecordJudges } from "./record-readers.ts";

/** What an import needs: lines are validated and staged, and become visible all at once. */
export interface ImportParts {
  readonly store: Store;
  readonly judges: RecordJudges;
}

/**
 * Validates and stages lines. If one is invalid, none is staged.
 *
 * @param entity whose turn it takes
 */
export async function addLines(
  { store, judges }: ImportParts,
  { id, kind, as, from, lines, check = false }: AddLinesRequest,
  entity: string,
): Promise<ImportState | "not-begun"> {
  const faults: LineFault[] = [];
  const records: { line: number; record: string }[] = [];
  const fields: Record<Parameters<FieldUse>[1], Record<string, number>> = { checked: {}, ignored: {} };
  const use: FieldUse = (field, how) => void (fields[how][field] = (fields[how][field] ?? 0) + 1);
  for (const [index, text] of lines.entries()) {
    if (text.trim() === "") continue;
    const line = from + index + 1;
    try {
      records.push({ line, record: readRecord(kind, text, { ...judges, as, line, use }) });
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      faults.push({ line, message: error.message });
    }
  }
  if (check) return { lines: from, faults };
  // Lines of another kind than that of the import have faults, too, which say nothing.
  const chunk = faults.length > 0 ? { to: from, records: [] } : { to: from + lines.length, records };
  const staged = await store.call("imports.stage", { id, kind, from, entity, ...chunk });
  if (staged === "not-begun") return staged;
  return faults.length > 0 ? { lines: from, faults } : { lines: staged, faults, ...(kind === "logs" && fields) };
}

/** Imports records as one file. @throws Error with the faults, if there are any; then nothing was imported */
export async function importAll(
  parts: ImportParts,
  kind: ImportKind,
  records: readonly object[],
  as?: string,
): Promise<void> {
  const { store } = parts;
  const [id, entity] = [crypto.randomUUID(), "*"];
  await store.call("imports.begin", { id, kind });
  const lines = records.map((record) => JSON.stringify(record));
  const state = await addLines(parts, { id, kind, ...(as !== undefined && { as }), from: 0, lines }, entity);
  if (state !== "not-begun" && state.faults.length === 0)
    return void (await store.call("imports.finish", { id, entity }));
  await store.call("imports.abort", { id });
  const faults = state === "not-begun" ? [] : state.faults.map(({ line, message }) => `Record ${line}: ${message}`);
  throw new Error(["Nothing was imported.", ...faults].join(" "));
}
