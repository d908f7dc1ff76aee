/** What a change of one of the contract's own keys is called. The comparison of contracts judges each kind. */
import type { JsonObject } from "@trainyard/core/validation";

/** A kind of change of a key. */
export type KeyChange =
  | "alias-changed"
  | "basis-changed"
  | "basis-withdrawn"
  | "client-option-added"
  | "client-option-changed"
  | "description-changed"
  | "fold-added"
  | "fold-changed"
  | "invalid-status-changed"
  | "method-added"
  | "method-removed"
  | "method-renamed"
  | "pagination-added"
  | "pagination-changed"
  | "promise-added"
  | "promise-reworded"
  | "promise-withdrawn"
  | "resend-looser"
  | "resend-stricter"
  | "resend-unsafe"
  | "rewritten"
  | "safe-added"
  | "safe-removed"
  | "sensitive-added"
  | "sensitive-removed"
  | "set-closed"
  | "set-opened"
  | "stream-added"
  | "stream-changed"
  | "timeout-raised"
  | "timeout-shortened";

/** The context of a key whose value changed. */
export interface KeyContext {
  /** The objects that hold the key, before and now. */
  readonly holders: readonly [before: JsonObject, now: JsonObject];
  /** The value of the same key on the nearest enclosing object, before and now; undefined if it has none. */
  readonly around: readonly [before: unknown, now: unknown];
  /** The HTTP method of the operation that holds the key, in lower case. */
  readonly method?: string;
}

/**
 * Selects the kind of change when a key's value changes: always the same kind, a kind computed from the two values and
 * their context, or a kind for each entry of a list. An absent value is undefined.
 */
export type Changes =
  | { readonly always: KeyChange }
  | { readonly added: KeyChange; readonly changed: KeyChange; readonly removed: KeyChange }
  | { between(before: unknown, now: unknown, context: KeyContext): KeyChange }
  | { readonly entries: true };

/** The kind of a change from one value of a key to another; undefined if each entry has its own kind. */
export function keyChangeOf(
  changes: Changes,
  before: unknown,
  now: unknown,
  context: KeyContext,
): KeyChange | undefined {
  if ("entries" in changes) return undefined;
  if ("always" in changes) return changes.always;
  if ("between" in changes) return changes.between(before, now, context);
  return before === undefined ? changes.added : now === undefined ? changes.removed : changes.changed;
}
