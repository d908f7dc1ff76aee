import { isObject, joinPointer } from "@trainyard/core/validation";
import type { Located } from "./locate.ts";

/** Every object within a value, in order, without examples: their content is data, whatever its keys are named. */
export function objectsIn(value: unknown, pointer: string = "#"): Located[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, joinPointer(pointer, index)));
  if (!isObject(value)) return [];
  const below = Object.entries(value).filter(([key]) => key !== "example" && key !== "examples");
  return [{ node: value, pointer }, ...below.flatMap(([key, item]) => objectsIn(item, joinPointer(pointer, key)))];
}
