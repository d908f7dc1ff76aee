import { digestOf } from "@trainyard/host/digest";
import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** Identifies a request with an `Idempotency-Key`. */
export interface IdempotencyKey {
  readonly operation: string;
  readonly key: string;
  /** Digest of the request: the same key with another request is an error. */
  readonly hash: string;
  /** What the digest is of: the parameters in the path, and the body. */
  readonly path: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Runs `work` once per key: within 24 hours, the same request gets the first response again. A refusal (a string) is
 * not stored. Work and response are stored in one transaction, so a crash keeps both or neither.
 */
export function oncePerKey<T extends object, R extends string>(
  { database, now }: Context,
  entity: string,
  key: IdempotencyKey | undefined,
  work: () => T | R,
): T | R | "key-reused" {
  if (key === undefined) return work();
  database.run("delete from idempotency where created <= :before", { before: now - day });
  const earlier = database.get(
    "select hash, answer from idempotency where entity = :entity and operation = :operation and key = :key",
    { entity, operation: key.operation, key: key.key },
  );
  if (earlier !== undefined) {
    const hash = text(earlier, "hash");
    return hash === key.hash || hash === firstHashOf(key) ? JSON.parse(text(earlier, "answer")) : "key-reused";
  }
  const answer = work();
  if (typeof answer === "string") return answer;
  database.run(
    `insert into idempotency(entity, operation, key, hash, answer, created)
     values(:entity, :operation, :key, :hash, :answer, :now)`,
    { entity, operation: key.operation, key: key.key, hash: key.hash, answer: JSON.stringify(answer), now },
  );
  return answer;
}

/**
 * The digest that releases wrote before bodies were digested in a thread: of the whole request at once. A server that was
 * upgraded has such rows. A third form needs a prefix that says which it is.
 */
function firstHashOf({ path, body }: IdempotencyKey): string {
  return digestOf([path, JSON.parse(new TextDecoder().decode(body))]);
}
