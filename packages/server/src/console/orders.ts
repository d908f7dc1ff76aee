import type { Database, Params } from "../store/database.ts";
import { number } from "../store/row.ts";
import { keepNewest } from "./kept.ts";

/**
 * The attempts that match a filter, in order. A list is read page by page while somebody scrolls: until there are new data,
 * only the first page has to filter and sort.
 */
export class Orders {
  readonly #index: Database;
  readonly #kept = new Map<string, Float64Array>();
  #version = -1;

  constructor(index: Database) {
    this.#index = index;
  }

  /** The keys of the attempts that match a condition, sorted by an expression, and then by their key. */
  keysOf(where: string, order: string, params: Params): Float64Array {
    const row = this.#index.get("select total_changes() as version");
    const version = row ? number(row, "version") : 0;
    if (version !== this.#version) this.#kept.clear();
    this.#version = version;
    return keepNewest(this.#kept, JSON.stringify([where, order, params]), () =>
      Float64Array.from(
        this.#index.once(`select key from rollouts where ${where} order by ${order}, key`, params),
        (found) => number(found, "key"),
      ),
    );
  }
}
