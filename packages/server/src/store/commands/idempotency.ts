import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** Identifies a request with an `Idempotency-Key`. */
export interface IdempotencyKey {
  readonly operation: string;
  readonly key: string;
  /** Digest of the request: the same key with another request is an error. */
  readonly hash: string;
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
  if (earlier !== undefined)
    return text(earlier, "hash") === key.hash ? JSON.parse(text(earlier, "answer")) : "key-reused";
  const answer = work();
  if (typeof answer === "string") return answer;
  database.run(
    `insert into idempotency(entity, operation, key, hash, answer, created)
     values(:entity, :operation, :key, :hash, :answer, :now)`,
    { entity, ...key, answer: JSON.stringify(answer), now },
  );
  return answer;
}
