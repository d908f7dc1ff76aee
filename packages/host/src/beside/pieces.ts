import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { setImmediate as turn } from "node:timers/promises";
import type { JsonObject } from "@trainyard/core/validation";

/**
 * A part of a value that is sent in pieces: the content of an existing list or object, identified by its number, or a new
 * list or object that later pieces fill.
 */
export type Piece =
  | { readonly into: number; readonly keys: readonly string[] | undefined; readonly values: readonly unknown[] }
  | { readonly into: number; readonly key: string | undefined; readonly opens: "list" | "object" };

/** The approximate size of a piece in characters. It is received in one or two milliseconds. */
const pieceSize = 2 ** 16;

/**
 * Splits a JSON value into pieces. Receiving a large value from another thread takes as long as parsing it, and blocks the
 * thread; pieces can be received one at a time.
 */
export function* piecesOf(value: unknown, size: number = pieceSize): Generator<Piece> {
  let count = 1;
  function* fill(into: number, keys: readonly string[] | undefined, values: readonly unknown[]): Generator<Piece> {
    let [start, sum] = [0, 0];
    const gathered = (end: number): Piece => ({
      into,
      keys: keys?.slice(start, end),
      values: values.slice(start, end),
    });
    for (const [index, item] of values.entries()) {
      const own = sizeOf(item, size) + (keys?.[index]?.length ?? 0);
      if (sum > 0 && sum + own > size) {
        yield gathered(index);
        [start, sum] = [index, 0];
      }
      sum += own;
      // Strings are not split: they are copied at once, whatever their length.
      if (own <= size || typeof item !== "object" || item === null) continue;
      const opened = count++;
      yield { into, key: keys?.[index], opens: Array.isArray(item) ? "list" : "object" };
      yield* Array.isArray(item) ? fill(opened, undefined, item) : fill(opened, Object.keys(item), Object.values(item));
      [start, sum] = [index + 1, 0];
    }
    if (start < values.length) yield gathered(values.length);
  }
  yield* fill(0, undefined, [value]);
}

/** The approximate size of a value in characters. Above the limit, the result is any larger number. */
function sizeOf(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length + 8;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 8;
  if (Array.isArray(value)) {
    for (const item of value) if ((sum += sizeOf(item, limit - sum)) > limit) break;
    return sum;
  }
  for (const [key, item] of Object.entries(value)) {
    if ((sum += key.length + sizeOf(item, limit - sum)) > limit) break;
  }
  return sum;
}

/** Joins the pieces of a value. */
export class Assembly {
  readonly #opened: (unknown[] | JsonObject)[] = [[]];

  add(piece: Piece): void {
    const target = this.#opened[piece.into];
    if (target === undefined) throw new Error("A piece arrived before its parent.");
    if ("values" in piece) {
      for (const [index, value] of piece.values.entries()) put(target, piece.keys?.[index], value);
      return;
    }
    const inner = piece.opens === "list" ? [] : {};
    this.#opened.push(inner);
    put(target, piece.key, inner);
  }

  get value(): unknown {
    const [root] = this.#opened;
    return Array.isArray(root) ? root[0] : undefined;
  }
}

function put(target: unknown[] | JsonObject, key: string | undefined, value: unknown): void {
  if (Array.isArray(target)) target.push(value);
  else if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else if (key !== undefined) target[key] = value;
}

/** Receives the pieces that are waiting at a port, and yields to other tasks between them. */
export async function receivePieces(port: MessagePort): Promise<unknown> {
  const assembly = new Assembly();
  try {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      assembly.add(next.message);
      await turn();
    }
  } finally {
    port.close();
  }
  return assembly.value;
}
