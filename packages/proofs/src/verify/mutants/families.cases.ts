import type { Mutant } from "../mutant.ts";
import { bodies, hardware, objects } from "./bodies.cases.ts";
import { pages } from "./pages.cases.ts";
import { errors, headers, statuses } from "./refusals.cases.ts";
import { state } from "./state.cases.ts";
import { statistics } from "./statistics.cases.ts";
import { chat, streams } from "./streams.cases.ts";

/** What a service must not do, by what the contract says it about. */
export const families: Readonly<Record<string, readonly Mutant[]>> = {
  "Statuses and keys": statuses,
  Bodies: bodies,
  Headers: headers,
  Errors: errors,
  Pages: pages,
  Streams: streams,
  Chat: chat,
  Statistics: statistics,
  Objects: objects,
  Hardware: hardware,
  "State, over several calls": state,
};

export const mutants: readonly Mutant[] = Object.values(families).flat();
