import { isKeyed, type Document } from "@trainyard/document";
import {
  byExample,
  refuse,
  type Answer,
  type Call,
  type Handler,
  type Handlers as HostHandlers,
  type HostCode,
} from "@trainyard/host";
import { digestOf } from "@trainyard/host/digest";
import { StorageFault } from "../store/storage-fault.ts";
import type { Handlers, ServiceName } from "./service-types.ts";

/**
 * The handlers of a service in the form that a host needs. If the storage fails, they return 503. Handlers of
 * operations with an `Idempotency-Key` receive the identity of the request; a repetition of a request in progress is
 * refused.
 */
export function hosted<S extends ServiceName>({ operations }: Document, handlers: Handlers<S>): HostHandlers {
  const keyed = new Set(operations.filter(isKeyed).map(({ name }) => name));
  // The document has validated what a handler receives, so the cast is safe for every operation.
  const plain = handlers as unknown as HostHandlers;
  return Object.fromEntries(
    Object.entries(plain).map(([name, handler]) => [
      name,
      handler === byExample ? byExample : storing(keyed.has(name) ? withKey(name, handler) : handler),
    ]),
  );
}

/** Turns storage failures of a handler into responses. It does not hold on to the call, whose body may be large. */
function storing(handler: Handler): Handler {
  return (call) => {
    const answer = handler(call);
    return answer instanceof Promise ? answer.catch(storageRefusal) : answer;
  };
}

function storageRefusal(error: unknown): Answer {
  if (!(error instanceof StorageFault)) throw error;
  return refuse(503, error.message, { code: "unavailable" satisfies HostCode, retryAfter: 5 });
}

function withKey(operation: string, handler: Handler): Handler {
  const underWay = new Set<string>();
  const alone = async (call: Call, key: string): Promise<Answer> => {
    const { operation: of, owner, keyId, path, query, headers, body, digest, bytes, signal } = call;
    const request = JSON.stringify([owner, key]);
    if (underWay.has(request)) {
      return refuse(409, `The first request with the Idempotency-Key ${key} is still under way. Try again later.`, {
        retryAfter: 1,
        example: /use/,
      });
    }
    underWay.add(request);
    const idempotency = { operation, key, hash: digestOf([path, digest]), path, body: bytes };
    const keyed = { operation: of, owner, keyId, path, query, headers, body, digest, bytes, signal, idempotency };
    try {
      return await handler(keyed);
    } finally {
      underWay.delete(request);
    }
  };
  return (call) => {
    const key = call.headers.get("idempotency-key");
    return key === null ? handler(call) : alone(call, key);
  };
}
