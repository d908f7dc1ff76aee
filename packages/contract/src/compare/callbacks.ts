import type { Comparison, Pair } from "../comparison.ts";
import { httpMethods } from "@trainyard/document";
import { compareOperation } from "./operation.ts";
import { childPair, keysOf } from "./keys.ts";
import { followed } from "./followed.ts";

/** Kinds of change of requests that the service sends. */
interface Naming {
  readonly added: "callback-added" | "webhook-added";
  readonly removed: "callback-removed" | "webhook-removed";
  readonly name: string;
}

/** Compares callbacks: requests of the service to a URL from the operation. */
export function compareCallbacks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const naming: Naming = { added: "callback-added", removed: "callback-removed", name: `callback \`${name}\`` };
    const callback = childPair(pair, name);
    if (isOneSided(comparison, callback, naming)) continue;
    followed(comparison, callback, (at) => {
      for (const address of keysOf(at)) compareItem(comparison, childPair(at, address), naming);
    });
  }
}

/** Compares webhooks: requests of the service to a URL that was agreed elsewhere. */
export function compareWebhooks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const naming: Naming = { added: "webhook-added", removed: "webhook-removed", name: `webhook \`${name}\`` };
    const webhook = childPair(pair, name);
    if (!isOneSided(comparison, webhook, naming)) {
      comparison.operation(`webhook ${name}`, () =>
        followed(comparison, webhook, (at) => compareItem(comparison, at, naming)),
      );
    }
  }
}

function isOneSided(comparison: Comparison, pair: Pair, { added, removed, name }: Naming): boolean {
  if (pair.base.value === undefined) comparison.report(added, pair, `The ${name} was added.`);
  else if (pair.revision.value === undefined) comparison.report(removed, pair, `The ${name} was removed.`);
  else return false;
  return true;
}

function compareItem(comparison: Comparison, path: Pair, naming: Naming): void {
  if (isOneSided(comparison, path, naming)) return;
  for (const method of httpMethods) {
    const operation = childPair(path, method);
    if (operation.base.value === undefined && operation.revision.value === undefined) continue;
    if (isOneSided(comparison, operation, naming)) continue;
    // The service sends the request, and the program responds.
    comparison.turned(() => compareOperation(comparison, { path, operation }));
  }
}
