import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import type { JsonObject } from "@trainyard/core/validation";

/**
 * A part of a value that is sent in pieces: three items for each value in a list or an object. They are the number of the list
 * or object, the key in it (undefined in a list), and the value. Each list and object is sent empty, and later items fill it.
 */
export type Piece = readonly unknown[];

/** The approximate size of a piece in characters. It is received in one or two milliseconds. */
const pieceSize = 2 ** 16;

/**
 * Splits a JSON value into pieces. Receiving a large value from another thread takes as long as parsing it, and blocks the
 * thread; pieces can be received one at a time.
 */
export function* piecesOf(value: unknown, size: number = pieceSize): Generator<Piece> {
  const opened: object[] = [[value]];
  let piece: unknown[] = [];
  let sum = 0;
  // It grows meanwhile: the lists and objects in one are opened after it.
  for (const [into, target] of opened.entries()) {
    const keys = Array.isArray(target) ? undefined : Object.keys(target);
    for (const [index, item] of Object.values(target).entries()) {
      const isOpened = typeof item === "object" && item !== null;
      if (isOpened) opened.push(item);
      piece.push(into, keys?.[index], isOpened ? (Array.isArray(item) ? [] : {}) : item);
      // Strings are not split: they are copied at once, whatever their length.
      sum += 8 + (keys?.[index]?.length ?? 0) + (typeof item === "string" ? item.length : 0);
      if (sum < size) continue;
      yield piece;
      [piece, sum] = [[], 0];
    }
  }
  if (piece.length > 0) yield piece;
}

/** Joins the pieces of a value. */
export class Assembly {
  readonly #opened: (unknown[] | JsonObject)[] = [[]];

  add(piece: Piece): void {
    for (let at = 0; at < piece.length; at += 3) {
      const [target, key, value] = [this.#opened[Number(piece[at])], piece[at + 1], piece[at + 2]];
      if (target === undefined) throw new Error("A piece arrived before its parent.");
      if (typeof value === "object" && value !== null) this.#opened.push(value as unknown[] | JsonObject);
      if (Array.isArray(target)) target.push(value);
      else if (key !== "__proto__") target[String(key)] = value;
      else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    }
  }

  get value(): unknown {
    const [root] = this.#opened;
    return Array.isArray(root) ? root[0] : undefined;
  }
}

/** Receives the pieces that are waiting at a port, and yields to other tasks between them. */
export async function receivePieces(port: MessagePort): Promise<unknown> {
  const assembly = new Assembly();
  try {
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      assembly.add(next.message);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    port.close();
  }
  return assembly.value;
}
