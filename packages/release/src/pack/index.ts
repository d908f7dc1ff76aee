export { strictOptions } from "./strict-options.ts";
export { build, pack, type Packed } from "./pack.ts";
