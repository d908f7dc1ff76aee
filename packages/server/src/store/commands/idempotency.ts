import { text } from "../row.ts";
import type { Context } from "./context.ts";

/** What a request with an `Idempotency-Key` is known by. */
export interface IdempotencyKey {
  readonly operation: string;
  readonly key: string;
  /** Digest of the request: the same key with another one is a mistake. */
  readonly hash: string;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Does `work` once for a key: within 24 hours the same request gets the first answer again. A refusal (a string) is not
 * remembered. It is one transaction with the work, so a crash leaves both or none.
 */
export function oncePerKey<T extends object, R extends string>(
  { database, now }: Context,
  entity: string,
  key: IdempotencyKey | undefined,
  work: () => T | R,
): T | R | "key-reused" {
  if (key === undefined) return work();
  database.run("delete from idempotency where created <= :before", { before: now - day });
  const known = database.get(
    "select hash, answer from idempotency where entity = :entity and operation = :operation and key = :key",
    { entity, operation: key.operation, key: key.key },
  );
  if (known !== undefined) return text(known, "hash") === key.hash ? JSON.parse(text(known, "answer")) : "key-reused";
  const answer = work();
  if (typeof answer === "string") return answer;
  database.run("insert into idempotency values(:entity, :operation, :key, :hash, :answer, :now)", {
    entity,
    ...key,
    answer: JSON.stringify(answer),
    now,
  });
  return answer;
}
