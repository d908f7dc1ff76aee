import { createRequire } from "node:module";
import { isObject } from "@trainyard/core/validation";
import type { Flow } from "./flows.ts";

const require = createRequire(import.meta.url);

/** The flows of the guides, as they were when the package was made. */
export function flows(): Flow[] {
  const all: unknown = require("@trainyard/live/flows.json");
  return Object.entries(isObject(all) ? all : {}).flatMap(([name, document]) =>
    isObject(document) ? [{ name, document }] : [],
  );
}
