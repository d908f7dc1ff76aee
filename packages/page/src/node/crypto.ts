/** The part of `node:crypto` that the host and the server use: synchronous digests, which browsers do not have. */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";

const digests = { sha1, sha256 } as const;
type Algorithm = keyof typeof digests;
type Encoding = "hex" | "base64" | "base64url";

const bytesOf = (data: string | Uint8Array) => (typeof data === "string" ? new TextEncoder().encode(data) : data);

function written(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(String.fromCharCode(...bytes));
  return encoding === "base64" ? base64 : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export const hash = (algorithm: Algorithm, data: string | Uint8Array, encoding: Encoding = "hex"): string =>
  written(digests[algorithm](bytesOf(data)), encoding);

export function createHash(algorithm: Algorithm) {
  const state = digests[algorithm].create();
  const made = {
    update: (data: string | Uint8Array) => {
      state.update(bytesOf(data));
      return made;
    },
    digest: (encoding: Encoding) => written(state.digest(), encoding),
  };
  return made;
}

export function randomBytes(length: number) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return { toString: (encoding: Encoding) => written(bytes, encoding) };
}
