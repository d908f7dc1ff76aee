import type { Operation } from "@trainyard/document";
import { createRouter, type Route } from "@trainyard/host";
import { cases, type Case } from "@trainyard/testing/services";
import type { Answered } from "./prism.ts";

/** One response that a document shows: of an operation, with a status, in a media type, with a named example. */
export interface Wish {
  readonly entry: Case;
  readonly status: number;
  /** Undefined for a response without a body. */
  readonly mediaType: string | undefined;
  /** Undefined for a response without a body. */
  readonly example: string | undefined;
  readonly value: unknown;
}

/** All responses that the documents show, in order. */
export const wishes: readonly Wish[] = cases.flatMap(wishesOf);

/** All responses that the document shows for an operation. */
export function wishesOf(entry: Case): Wish[] {
  return [...entry.operation.responses].flatMap(([key, { content }]): Wish[] => {
    const status = Number(key);
    if (content.size === 0) return [{ entry, status, mediaType: undefined, example: undefined, value: undefined }];
    return [...content].flatMap(([mediaType, { examples }]) =>
      [...examples].map(([example, value]) => ({ entry, status, mediaType, example, value })),
    );
  });
}

/** The common part of Prism's log and a document's example. */
export function keyOfWish({ entry: { service, operation }, status, mediaType = "", example }: Wish): string {
  return [service, operation.method, operation.path, status, typeOf(mediaType), example ?? first].join(" ");
}

/** The row of a response in a table; undefined if its path matches no operation. */
export function keyOfAnswer(service: string, { method, path, prefer, accept, status }: Answered): string | undefined {
  const operation = operationAt(service, method, path);
  if (operation === undefined) return undefined;
  const [, example = first] = /example=([^,;\s]+)/.exec(prefer) ?? [];
  const type = status === 200 && accept.startsWith("text/event-stream") ? "stream" : "json";
  return [service, method, operation.path, status ?? "refused", type, example].join(" ");
}

const first = "(first)";

function typeOf(mediaType: string): string {
  return mediaType.startsWith("text/event-stream") ? "stream" : "json";
}

const routers = new Map<string, (path: string) => Route | undefined>();

/** The operation that matches a path; undefined if there is none. */
export function operationAt(service: string, method: string, path: string): Operation | undefined {
  const route =
    routers.get(service) ??
    createRouter(cases.filter((entry) => entry.service === service).map(({ operation }) => operation));
  routers.set(service, route);
  return route(path)?.operations.get(method);
}
