import type { Database, Params } from "../store/database.ts";
import { number } from "../store/row.ts";
import { keepNewest } from "./kept.ts";

/**
 * Which attempts a filter lets through, in order. A list is read page by page as somebody scrolls: only the first page has
 * to filter and sort, until something is new.
 */
export class Orders {
  readonly #index: Database;
  readonly #kept = new Map<string, Float64Array>();
  #version = -1;

  constructor(index: Database) {
    this.#index = index;
  }

  /** The keys of the attempts that meet a condition, sorted by an expression, and by their key where that is the same. */
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
