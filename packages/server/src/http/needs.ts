import type { Operation } from "@trainyard/document";
import type { Need } from "./keys.ts";

/** These read although they are no GET. */
const reading: ReadonlySet<string> = new Set(["feedback.stats", "objects.read"]);

/** What an operation of a service needs of a key. At the control interface, entities have their runs and imports. */
export function needOf(service: string, { method, name }: Pick<Operation, "method" | "name">): Need {
  const scope = method === "GET" || reading.has(name) ? "read" : "write";
  if (service !== "local") return { scope, of: "services" };
  const of = /^(runs|imports)\./.test(name) ? "control" : "all entities";
  return { scope: scope === "read" ? "read" : "admin", of };
}
