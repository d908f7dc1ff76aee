import type { Answer } from "./exchange.ts";

/** The key under which the engine's own methods say what they want of `http`. */
export const inside: unique symbol = Symbol("inside");

/** What the engine's own methods want of `http`. */
export interface Inside {
  /** Makes the error to throw in place of a result with `error`. */
  readonly raise: (answer: Answer) => Error;
  /** Whether `data` is to be the {@link Answer}, with its body unread. */
  readonly open: boolean;
}

/** What the methods of a client pass to `http` so that it obeys the call's options. Opaque. */
export interface CallInit {
  readonly [inside]?: Inside;
}
