export { attw, publint } from "./lint.ts";
export { build, pack, type Packed } from "./pack.ts";
