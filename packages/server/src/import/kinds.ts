import type { BeginImportRequest } from "@trainyard/local";

/** What can be imported, as the control document lists it. */
export type ImportKind = BeginImportRequest["kind"];

const every: Readonly<Record<ImportKind, true>> = {
  models: true,
  jobs: true,
  feedback: true,
  objects: true,
  hardware: true,
  artifacts: true,
  logs: true,
};

/** The kind with that name; undefined if there is none. */
export function importKindOf(name: string | undefined): ImportKind | undefined {
  const isKind = (one: string): one is ImportKind => Object.hasOwn(every, one);
  return name !== undefined && isKind(name) ? name : undefined;
}
