import { createRequire } from "node:module";
import type { Contract } from "@trainyard/live/call";

const require = createRequire(import.meta.url);

/** The bundles that `trainyard` calls and verifies by; each is read once it is needed. */
export const contracts: readonly Contract[] = ["training", "inference", "auxiliary", "local"].map((name) => ({
  name,
  bundle: () => require(`@trainyard/${name}/openapi.json`),
  get file() {
    return require.resolve(`@trainyard/${name}/openapi.yaml`);
  },
}));
