import { isObject, joinPointer } from "@trainyard/core/validation";
import { basisAt, requiredIn, responseOf, successStatuses } from "@trainyard/document";
import { bodyMedia, type Values } from "../../request.ts";
import { ruleOf } from "../rules/rule.ts";
import { isOurs, send, type Expected, type Run, type Target } from "../run.ts";
import { visit } from "../schema-visitor.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { isMadeUp, pathsOf, shownPath, shownRequests } from "./requests.ts";

const succeeds = "A request like the example of the document succeeds.";

export async function read(target: Target): Promise<void> {
  const { run, operation } = target;
  if (!operation.safe) return;
  const known = pathsOf(target);
  const shown = known.length === 0 ? shownPath(target) : undefined;
  for (const path of shown === undefined ? known : [shown]) {
    const requests = shownRequests(target, path);
    if (requests.length === 0)
      run.findings.notes.add(`${operation.name}: its valid request was not made, because its body has no example.`);
    // For an alias, check only that it exists.
    const some = operation.aliasOf === undefined ? requests : requests.slice(0, 1);
    for (const [index, { name, values }] of some.entries()) {
      const tried = name === "" ? "" : `example ${name}`;
      const first = some[0]?.values.body;
      let exchange = await send(target, values, tried);
      // The resources of a further example may not exist, so use those of the first one.
      const like = index > 0 && exchange.answer.status === 404 ? named(target, values.body, first) : undefined;
      if (like !== undefined) exchange = await send(target, { ...values, body: like }, tried);
      const isAdopted = hasAdopted(target, values.body);
      if (!isNotOffered(exchange, first)) run.expect(exchange, { ...expectedOf(target, path), isAdopted });
      if (!(await isLost(target, exchange))) reportPreconditions(run, exchange);
      if (index === 0 && operation.method === "GET" && isOurs(operation)) await again(target, exchange, values);
      if (index === 0) await otherSchemes(target, values);
    }
  }
}

/** Whether a body has values that the interface does not show, so that a service may reject it. */
function hasAdopted({ service, operation }: Target, body: unknown): boolean {
  const { root } = service.document;
  const schema = bodyMedia(operation)?.schema;
  const values = schema === undefined ? [] : visit(root, schema.pointer, body);
  // What is required of an object may have another basis than its values.
  return values.some(
    ({ value, schema: { pointer } }) => Object(value) !== value && basisAt(root, pointer) !== "interface",
  );
}

function named({ service, operation }: Target, body: unknown, other: unknown): unknown {
  const schema = bodyMedia(operation)?.schema;
  if (schema === undefined || !isObject(body) || !isObject(other)) return undefined;
  const required = requiredIn(service.document.root, schema, "request");
  const texts = required.filter((name) => typeof other[name] === "string").map((name) => [name, other[name]] as const);
  return { ...body, ...Object.fromEntries(texts) };
}

function expectedOf(target: Target, path: Values["path"] = {}): Expected {
  const { run, operation } = target;
  const { method, resend } = operation;
  const also = [400, 402, 403, 404, 422, 503].filter(
    (status) =>
      (!isOurs(operation) || responseOf(operation, status) !== undefined) &&
      // The resource of an example may not exist, or the key may not permit it.
      ([402, 403].includes(status) ||
        (status === 404 && (method !== "GET" || !Object.values(path).every((id) => isOwn(run, id)))) ||
        ([400, 404, 422].includes(status) && isMadeUp(target)) ||
        // The status of an operation that is never retried may be its result, as of a health check.
        (status === 503 && resend === "never")),
  );
  return { says: succeeds, statuses: [...successStatuses(operation), ...also] };
}

/** Whether an id is of this run, or of `--set`. What others have, they may delete. */
function isOwn({ created, set }: Run, id: string): boolean {
  return created.some((one) => one.id === id) || [...set.values()].includes(id);
}

const preconditions: Readonly<Record<number, string>> = {
  400: "the service does not support it",
  402: "the quota is exhausted",
  403: "the key does not permit it",
  404: "the resource in the example does not exist; name one that does with --set",
  422: "the service does not support it",
};

function reportPreconditions({ findings }: Run, { operation, answer, tried }: Exchange): void {
  const why = preconditions[answer.status];
  if (why !== undefined)
    findings.notes.add(`${operation?.name}${tried === "" ? "" : `, ${tried}`}: ${why} (${answer.status}).`);
}

/** Reports an item that is not found although the list above it has it afterwards: what others delete, it has not. */
async function isLost(target: Target, exchange: Exchange): Promise<boolean> {
  const { run, service, operation } = target;
  const [, at, name = ""] = /^(.*)\/\{([^{}]+)\}$/.exec(operation.path) ?? [];
  const list = service.document.operations.find(({ method, path }) => method === "GET" && path === at);
  const { [name]: id = "" } = exchange.path;
  const isListed = (one: Exchange) => isPerformed(one) && idsIn(one.answer.json?.value).includes(id);
  if (exchange.answer.status !== 404 || !isOurs(operation) || list === undefined) return false;
  if (!isListed(await send({ ...target, operation: list }, { path: exchange.path }, `after ${operation.name}`)))
    return false;
  const says = `The operation finds each item of ${list.name}.`;
  const seen = `status 404 for ${id}, which ${list.name} has`;
  run.report(exchange, { pointer: operation.pointer, says, seen, basis: operation.basis });
  return true;
}

/** Whether a service rejects, by name, a property that only a further example has. It need not support every feature. */
function isNotOffered({ answer, operation, body }: Exchange, plain: unknown): boolean {
  const { status, json } = answer;
  if (!operation?.responses.has(String(status)) || (status !== 400 && status !== 422)) return false;
  if (!isObject(json?.value) || !isObject(body) || !isObject(plain)) return false;
  const { detail, error } = json.value;
  const places = Array.isArray(detail) ? detail.filter(isObject).map(({ loc }) => String([loc].flat()[1])) : [];
  if (isObject(error)) places.push(String(error["param"]).split(/[.[]/, 1)[0] ?? "");
  return places.length > 0 && places.every((name) => name in body && !(name in plain));
}

/** Sends GET again, and HEAD: the result must be the same. */
async function again(target: Target, first: Exchange, values: Values): Promise<void> {
  const { run, operation } = target;
  const { pointer } = operation;
  if (!isPerformed(first)) return;
  const shown = { says: succeeds, statuses: successStatuses(operation) };
  const second = await send(target, values, "a second time", shown);
  const [before, now] = [idsIn(first.answer.json?.value), idsIn(second.answer.json?.value)];
  // The pages of a list may have any length up to its limit; other probes follow them.
  const isWhole = operation.pagination === undefined && isPerformed(second) && before.length > 0;
  if (isWhole && before.join() !== now.join()) {
    const third = await send(target, values, "a third time", shown);
    const at = before.findIndex((id, index) => id !== now[index]);
    const seen = at < 0 ? `${now.length} ids after ${before.length}` : `${now[at] ?? "nothing"} after ${before[at]}`;
    const says = "The operation changes nothing: the same request returns the same ids.";
    if (isPerformed(third) && !isChangedByOthers(before, now, idsIn(third.answer.json?.value)))
      run.report(second, { pointer, says, seen });
  }
  const head = await send(target, values, "compared with GET", undefined, { method: "HEAD" });
  const { status, headers, broken } = head.answer;
  if (broken !== undefined || status === 405 || status === 501) return;
  const [type, typeOfGet] = [headers.get("content-type"), first.answer.headers.get("content-type")];
  const isOther = status !== first.answer.status;
  const seen = isOther ? `HEAD ${status}, GET ${first.answer.status}` : `HEAD ${type}, GET ${typeOfGet}`;
  const says = "HEAD returns the same as GET, without a body (RFC 9110).";
  if (isOther || (type !== null && type !== typeOfGet)) run.report(head, { pointer, basis: "adopted", says, seen });
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

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === "string" ? [item] : idsIn(item)));
  if (!isObject(value)) return [];
  const own = typeof value["id"] === "string" ? [value["id"]] : [];
  return [...own, ...Object.values(value).flatMap((member) => (Array.isArray(member) ? idsIn(member) : []))];
}

async function otherSchemes(target: Target, values: Values): Promise<void> {
  const { service, operation } = target;
  for (const schemes of operation.security.slice(1)) {
    const names = schemes.map(({ name }) => name);
    const credentials = Object.fromEntries(names.map((name) => [name, service.credentials[name] ?? ""]));
    if (Object.values(credentials).includes("")) continue;
    const [all, isOpen] = [names.join(" and "), names.length === 0];
    await send(target, { ...values, credentials }, isOpen ? "without a key" : `with ${all}`, {
      ...expectedOf(target, values.path),
      pointer: joinPointer(operation.pointer, "security"),
      says: isOpen ? "The operation needs no key." : `The operation accepts ${all}.`,
      isAdopted: true,
    });
  }
}

/** Checks that the lists have what the run created: the list where it was created, and those of the available models. */
export async function lookForCreated(run: Run): Promise<void> {
  for (const { creation } of run.created.filter((one) => !one.isAccident && !one.isDeleted)) {
    const value = creation.answer.json?.value;
    if (creation.operation === undefined || !isOurs(creation.operation) || !isObject(value)) continue;
    const { id, entity, project, name } = value;
    const address = [entity, project, name].every((one) => typeof one === "string")
      ? `artifact:///${[entity, project, name].join("/")}`
      : undefined;
    for (const service of run.services) {
      for (const operation of service.document.operations) {
        const rule = ruleOf(operation.node, "models-listed");
        const isOwn = service === creation.service && operation.path === creation.operation.path;
        const wanted = isOwn ? String(id) : rule && address;
        if (operation.method !== "GET" || operation.path.includes("{") || wanted === undefined) continue;
        const exchange = await send({ run, service, operation }, {}, `after ${creation.operation.name}`);
        if (!isPerformed(exchange) || idsIn(exchange.answer.json?.value).some((one) => one.startsWith(wanted)))
          continue;
        const { pointer, description: says } = operation;
        const seen = `no ${wanted}, although it was created`;
        run.report(exchange, { pointer, says, seen, basis: isOwn ? undefined : rule?.basis, isAdopted: true });
      }
    }
  }
}
