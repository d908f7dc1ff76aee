import { createRequire } from "node:module";
import type { Contract } from "@trainyard/live/call";

const require = createRequire(import.meta.url);

/** The bundles that `trainyard call` and `trainyard verify` use. Each is read at its first use. */
export const contracts: readonly Contract[] = ["training", "inference", "auxiliary", "local"].map((name) => ({
  name,
  bundle: () => require(`@trainyard/${name}/openapi.json`),
  get file() {
    return require.resolve(`@trainyard/${name}/openapi.yaml`);
  },
}));
