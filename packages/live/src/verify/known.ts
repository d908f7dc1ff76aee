import { isObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import type { LiveService } from "../contract.ts";
import type { Exchange } from "./wire.ts";

/** A resource that a run created. */
export interface Created extends Pick<Exchange, "service" | "path"> {
  readonly id: string;
  readonly deletion: Operation | undefined;
  /** The request that created it. */
  readonly creation: Exchange;
  /** Whether the service should have rejected that request. */
  readonly isAccident: boolean;
  /** Why the run cannot delete it; undefined if it can. */
  readonly remains: string | undefined;
}

/** What a run learns: ids that exist, and the resources that it created. */
export class Known {
  /** By service and name of a path parameter. */
  readonly #ids = new Map<string, Set<string>>();
  created: Created[] = [];
  /** Whether a service accepts any key and marks its responses as examples, as a mock does. */
  readonly takesAnyKey: Map<LiveService, boolean> = new Map();

  ids(service: LiveService, name: string): Set<string> {
    const key = `${service.name} ${name}`;
    const ids = this.#ids.get(key) ?? new Set();
    this.#ids.set(key, ids);
    return ids;
  }

  /** Remembers what a successful request created, by the id in its response. */
  learn(creation: Exchange, own: string): void {
    const { service, operation, sent, body, answer, expected } = creation;
    const id = isObject(answer.json?.value) ? answer.json.value["id"] : undefined;
    if (operation?.safe === true || /^(GET|HEAD|DELETE)$/.test(sent.method) || typeof id !== "string") return;
    if (this.created.some((one) => one.service === service && one.id === id)) return;
    const at = operation?.path ?? sent.url.slice(service.baseUrl.length);
    const deletion = service.document.operations.find(
      ({ method, path }) => method === "DELETE" && path.startsWith(`${at}/{`) && path.endsWith("}"),
    );
    const name = /\{([^}]+)\}$/.exec(deletion?.path ?? "")?.[1] ?? "";
    const isAccident = operation === undefined || expected?.includes(answer.status) === false;
    // A service may return what exists, unless the request has the run's own names, or none.
    const isNew = sent.body?.includes(own) === true || !isObject(body) || Object.keys(body).length === 0;
    const foreign = isNew ? undefined : "it may be older than this run";
    const remains = deletion === undefined ? "the contract has no operation that deletes it" : foreign;
    if (!isAccident && remains !== undefined) return;
    this.created.push({ service, id, deletion, path: { ...creation.path, [name]: id }, creation, isAccident, remains });
    if (!isAccident) this.ids(service, name).add(id);
  }
}
