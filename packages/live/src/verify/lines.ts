import { readFileSync } from "node:fs";
import { pointerTokens } from "@trainyard/core/validation";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/**
 * Returns a function that finds the line of a pointer in a file, from 1. If the file does not have the pointer, the function
 * returns the line of the nearest parent.
 */
export function linesOf(file: string): (pointer: string) => number | undefined {
  const counter = new LineCounter();
  let top: unknown;
  try {
    top = parseDocument(readFileSync(file, "utf8"), { lineCounter: counter }).contents;
  } catch {
    return () => undefined;
  }
  return (pointer) => {
    let node: unknown = top;
    let offset = 0;
    for (const key of pointerTokens(pointer)) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
        if (pair === undefined) break;
        offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(key)];
        offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
      } else break;
    }
    return counter.linePos(offset).line;
  };
}
