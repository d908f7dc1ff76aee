import type { Exchange } from "./wire.ts";
import type { Operation } from "@trainyard/document";
import type { LiveService } from "../service.ts";

/** Something that a run created, and how it is deleted. */
export interface Created {
  readonly service: LiveService;
  readonly deletion: Operation;
  readonly path: Readonly<Record<string, string>>;
  /** How it was created. */
  readonly creation?: Exchange;
}

/** What a run learns: ids that exist, and what it created. */
export class Known {
  /** By service and name of a path's parameter. */
  readonly #ids = new Map<string, Set<string>>();
  created: Created[] = [];
  /** Whether a service takes any key and says that it shows examples: a mock does. */
  readonly takesAnyKey: Map<LiveService, boolean> = new Map();

  add(service: LiveService, name: string, value: string): void {
    const key = `${service.name} ${name}`;
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(value));
  }

  forget(service: LiveService, name: string, value: string): void {
    this.#ids.get(`${service.name} ${name}`)?.delete(value);
  }

  ids(service: LiveService, name: string): string[] {
    return [...(this.#ids.get(`${service.name} ${name}`) ?? [])];
  }
}
