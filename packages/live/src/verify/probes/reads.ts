import { isObject, joinPointer } from "@trainyard/core/validation";
import { jsonOf, type Operation } from "@trainyard/document";
import type { LiveService } from "../../service.ts";
import { isPerformed, type Expected, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { pathsOf, shownRequests } from "./requests.ts";

const shown: Expected = {
  statuses: "success",
  says: "A request like the example of the document succeeds.",
};

/** Sends the examples of a safe operation, and the first one a second time. */
export async function read(run: Run, service: LiveService, operation: Operation): Promise<void> {
  if (!operation.safe) return;
  for (const path of pathsOf(run, service, operation)) {
    const requests = shownRequests(run, operation, path);
    // For an alias, check only that it exists.
    const some = operation.aliasOf === undefined ? requests : requests.slice(0, 1);
    for (const [index, { name, values }] of some.entries()) {
      const tried = name === "" ? "" : `example ${name}`;
      let exchange = await run.send(service, operation, values, { tried });
      // The resources of a further example may not exist, so use those of the first one.
      const like =
        index > 0 && exchange.answer.status === 404 ? named(operation, values.body, some[0]?.values.body) : undefined;
      if (like !== undefined) exchange = await run.send(service, operation, { ...values, body: like }, { tried });
      if (!isNotOffered(exchange, some[0]?.values.body)) run.expect(exchange, expectedOf(operation));
      reportPreconditions(run, exchange);
      if (index === 0 && operation.method === "GET") await again(run, exchange, values);
      if (index === 0) await otherSchemes(run, service, operation, values);
    }
  }
}

/** A body with the required strings of another one. */
function named(operation: Operation, body: unknown, other: unknown): unknown {
  const schema = jsonOf(operation.body?.content ?? new Map())?.schema?.node;
  if (!isObject(body) || !isObject(other)) return undefined;
  const required = [schema?.["required"] ?? []]
    .flat()
    .map(String)
    .filter((name) => typeof other[name] === "string");
  return { ...body, ...Object.fromEntries(required.map((name) => [name, other[name]])) };
}

function expectedOf(operation: Operation): Expected {
  const declared = [...operation.responses.keys()].map(Number);
  // The resource of an example may not exist, or the key may not permit it. The document declares both errors.
  const also = declared.filter(
    (status) => [402, 403].includes(status) || (status === 404 && operation.method !== "GET"),
  );
  // The status of an operation that is never retried may be its result, as of a health check.
  if (operation.resend === "never") also.push(...declared.filter((status) => status === 503));
  const success = declared.filter((status) => status >= 200 && status < 300);
  return { ...shown, statuses: [...success, ...also] };
}

function reportPreconditions({ findings }: Run, { operation, answer, tried }: Exchange): void {
  const reasons: Readonly<Record<number, string>> = {
    400: "the service does not support it",
    402: "the quota is exhausted",
    403: "the key does not permit it",
    404: "the resource in the example does not exist; name one that does with --set",
    422: "the service does not support it",
  };
  const why = reasons[answer.status];
  if (why !== undefined)
    findings.note(`${operation?.name}${tried === "" ? "" : `, ${tried}`}: ${why} (${answer.status}).`);
}

/** Whether a service rejects, by name, a property that only a further example has. It need not support every feature. */
function isNotOffered({ answer, operation, body }: Exchange, plain: unknown): boolean {
  if (!operation?.responses.has(String(answer.status)) || (answer.status !== 400 && answer.status !== 422))
    return false;
  const error = answer.json?.value;
  if (!isObject(error) || !isObject(body) || !isObject(plain)) return false;
  const places = Array.isArray(error["detail"])
    ? error["detail"].filter(isObject).map(({ loc }) => [loc].flat()[1])
    : [];
  if (isObject(error["error"])) places.push(String(error["error"]["param"]).split(/[.[]/, 1)[0]);
  return places.length > 0 && places.every((name) => String(name) in body && !(String(name) in plain));
}

/** Sends GET again, and HEAD: the result must be the same. */
async function again(run: Run, first: Exchange, values: Parameters<Run["send"]>[2]): Promise<void> {
  const { service, operation } = first;
  if (operation === undefined || !isPerformed(first)) return;
  const second = await run.send(service, operation, values, { tried: "a second time", expected: shown });
  const [before, now] = [idsIn(first.answer.json?.value), idsIn(second.answer.json?.value)];
  // The pages of a list may have any length up to its limit; other probes follow them.
  const isWhole = operation.pagination === undefined && isPerformed(second) && before.length > 0;
  if (isWhole && before.join() !== now.join()) {
    const third = await run.send(service, operation, values, { tried: "a third time", expected: shown });
    if (isPerformed(third) && !isChangedByOthers(before, now, idsIn(third.answer.json?.value)))
      run.report(second, {
        pointer: operation.pointer,
        says: "The operation changes nothing: the same request returns the same ids.",
        seen: firstDifference(before, now),
      });
  }
  const head = await run.send(service, operation, values, { tried: "compared with GET", method: "HEAD" });
  const { status, headers, broken } = head.answer;
  if (broken !== undefined || status === 405 || status === 501) return;
  const type = (exchange: Exchange) => exchange.answer.headers.get("content-type");
  const difference =
    status !== first.answer.status
      ? `HEAD ${status}, GET ${first.answer.status}`
      : headers.has("content-type") && type(head) !== type(first)
        ? `HEAD ${type(head)}, GET ${type(first)}`
        : undefined;
  if (difference !== undefined)
    run.report(head, {
      pointer: operation.pointer,
      basis: "http",
      says: "HEAD returns the same as GET, without a body (RFC 9110).",
      seen: difference,
    });
}

type Ids = readonly string[];

/** Whether lists that were read one after the other can differ because others create and delete items meanwhile. */
export function isChangedByOthers(first: Ids, second: Ids, third: Ids): boolean {
  const keepsOrder = (before: Ids, now: Ids): boolean => {
    const shared = before.filter((id) => now.includes(id));
    return shared.length > 0 && shared.join() === now.filter((id) => before.includes(id)).join();
  };
  // What was deleted does not come back.
  const cameBack = first.some((id) => !second.includes(id) && third.includes(id));
  return !cameBack && keepsOrder(first, second) && keepsOrder(second, third);
}

function firstDifference(before: Ids, now: Ids): string {
  const at = before.findIndex((id, index) => id !== now[index]);
  return at < 0 ? `${now.length} ids after ${before.length}` : `${now[at] ?? "nothing"} after ${before[at]}`;
}

/** The ids in a response, in their order. */
export function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === "string" ? [item] : idsIn(item)));
  if (!isObject(value)) return [];
  const own = typeof value["id"] === "string" ? [value["id"]] : [];
  return [...own, ...Object.values(value).flatMap((member) => (Array.isArray(member) ? idsIn(member) : []))];
}

/** Checks that the operation accepts each security scheme of the document. */
async function otherSchemes(run: Run, service: LiveService, operation: Operation, values: Parameters<Run["send"]>[2]) {
  for (const schemes of operation.security.slice(1)) {
    const names = schemes.map(({ name }) => name);
    const credentials = Object.fromEntries(names.map((name) => [name, service.credentials[name] ?? ""]));
    if (Object.values(credentials).includes("")) continue;
    const tried = names.length === 0 ? "without a key" : `with ${names.join(" and ")}`;
    const expected = expectedOf(operation);
    await run.send(
      service,
      operation,
      { ...values, credentials },
      {
        tried,
        expected: {
          ...expected,
          pointer: joinPointer(operation.pointer, "security"),
          says: names.length === 0 ? "The operation needs no key." : `The operation accepts ${names.join(" and ")}.`,
        },
      },
    );
  }
}
