import type { Exchange } from "./wire.ts";
import type { Operation } from "@trainyard/document";
import type { LiveService } from "../service.ts";

/** A resource that a run created, and how to delete it. */
export interface Created {
  readonly service: LiveService;
  readonly deletion: Operation;
  readonly path: Readonly<Record<string, string>>;
  /** The request that created it. */
  readonly creation?: Exchange;
}

/** What a run learns: ids that exist, and the resources that it created. */
export class Known {
  /** By service and name of a path parameter. */
  readonly #ids = new Map<string, Set<string>>();
  created: Created[] = [];
  /** Whether a service accepts any key and marks its responses as examples, as a mock does. */
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
