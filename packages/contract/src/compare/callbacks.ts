import type { Comparison, Pair } from "../comparison.ts";
import { operationKeys } from "@trainyard/document";
import type { Kind } from "../kinds.ts";
import { compareOperation } from "./operation.ts";
import { childPair, followed, isOneSided, keysOf } from "./keys.ts";

/** A name of requests that the service sends, and the kinds of their changes. */
type Naming = readonly [name: string, added: Kind, removed: Kind];

/** Compares callbacks: requests of the service to a URL from the operation. */
export function compareCallbacks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const naming: Naming = [`callback \`${name}\``, "callback-added", "callback-removed"];
    const callback = childPair(pair, name);
    if (isOneSided(comparison, callback, ...naming)) continue;
    followed(comparison, callback, (at) => {
      for (const address of keysOf(at)) compareItem(comparison, childPair(at, address), naming);
    });
  }
}

/** Compares webhooks: requests of the service to a URL that was agreed elsewhere. */
export function compareWebhooks(comparison: Comparison, pair: Pair): void {
  for (const name of keysOf(pair)) {
    const naming: Naming = [`webhook \`${name}\``, "webhook-added", "webhook-removed"];
    const webhook = childPair(pair, name);
    if (!isOneSided(comparison, webhook, ...naming)) {
      comparison.operation(`webhook ${name}`, () =>
        followed(comparison, webhook, (at) => compareItem(comparison, at, naming)),
      );
    }
  }
}

function compareItem(comparison: Comparison, path: Pair, naming: Naming): void {
  if (isOneSided(comparison, path, ...naming)) return;
  const methods = [path.base, path.revision].flatMap(({ value }) => operationKeys(value));
  for (const method of new Set(methods)) {
    const operation = childPair(path, method);
    if (isOneSided(comparison, operation, ...naming)) continue;
    // The service sends the request, and the program responds.
    comparison.turned(() => compareOperation(comparison, { path, operation }));
  }
}
