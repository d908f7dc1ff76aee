import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import type { Flow } from "./flows.ts";

const require = createRequire(import.meta.url);

/** The flows of the guides, copied when the package was built. */
export function flows(): Flow[] {
  const all: unknown = require("@trainyard/live/flows.json");
  return Object.entries(isObject(all) ? all : {}).flatMap(([name, document]) =>
    isObject(document) ? [{ name, document }] : [],
  );
}
