import { createEngine } from "../src/engine.ts";
import type { Operation, Service } from "../src/operation.ts";
import type { CallOptions, ClientOptions } from "../src/options.ts";
import type { Parts } from "../src/request.ts";
import type { ApiPromise, PagePromise } from "../src/result.ts";
import { call, paged } from "../src/sends.ts";

/** Operations by their names. */
export type Table = { readonly [name: string]: Omit<Operation, "name"> };

/** The operations of a table, as generated clients have them. */
export const rowsOf = (table: Table): Operation[] => Object.entries(table).map(([name, one]) => ({ ...one, name }));

/** An engine whose operations are called by their names. */
export function engineOf<Names extends Table>(
  { operations, ...service }: Service & { readonly operations: Names },
  options: ClientOptions,
) {
  const rows = rowsOf(operations);
  const engine = createEngine(service, options, rows);
  const rowOf = (name: keyof Names): Operation => rows.find((one) => one.name === name) as Operation;
  return {
    call: <Data>(name: keyof Names, given?: CallOptions, parts: Parts = {}) =>
      call(engine, rowOf(name), given, parts) as ApiPromise<Data>,
    page: <Item>(name: keyof Names, given?: CallOptions, parts: Parts = {}) =>
      paged(rowOf(name)).send?.(engine, rowOf(name), given, parts) as PagePromise<Item>,
  };
}
