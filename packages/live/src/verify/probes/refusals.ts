import { bases, type Operation } from "@trainyard/document";
import { createRouter, invalidStatus, isLoopback } from "@trainyard/host";
import type { LiveService } from "../../contract.ts";
import { chooseSchemes, written, type Values } from "../../request.ts";
import { judgeError } from "../judge-answer.ts";
import { ruleOf } from "../rules/rule.ts";
import { isOurs, send, type Expected, type Run, type Target } from "../run.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { unknownBody } from "./invalid.ts";
import {
  bodyOf,
  exampleBodies,
  fitsPath,
  isMadeUp,
  needsKey,
  pathsOf,
  queryOf,
  refusal,
  shownRequests,
  unknownPath,
} from "./requests.ts";

export async function tryKeys(target: Target): Promise<void> {
  const { run, service, operation } = target;
  if (!needsKey(operation)) return;
  const values = harmless(target);
  if (values === undefined) return;
  const tryIt = (tried: string, given: Values): Promise<Exchange> =>
    send(target, { ...values, credentials: {}, ...given }, tried, refusal(operation, 401, ...others));
  const others: number[] = [];
  await tryIt("without a key", {});
  const schemes = chooseSchemes(operation, service.credentials);
  const key = service.credentials[schemes[0]?.name ?? ""];
  if (key === undefined) {
    run.findings.notes.add(`${service.name}: no key is set, so operations that need one were called without it.`);
    return;
  }
  const each = (secret: (name: string) => string): Record<string, string> =>
    Object.fromEntries(schemes.map(({ name }) => [name, secret(name)]));
  // A service that accepts any key and says so is a mock. When it rejects a request, the key is not the reason.
  const takes = operation.safe ? false : await takesAnyKey(run, service);
  if (takes === true) return;
  // Nothing tells, so that the reason may be the request.
  if (takes === undefined) others.push(400, 422);
  await tryIt("with a wrong key", { credentials: each(() => `verify-${crypto.randomUUID()}`) });
  if (!operation.safe || operation.aliasOf !== undefined) return;
  // Addresses and rejected keys are what logs and proxies keep.
  if (!isLoopback(service.baseUrl)) return void run.withheld.add(operation);
  await tryIt("with characters after the key", { credentials: each((name) => `${service.credentials[name]}-verify`) });
  const carriers = new Set(operation.security.flat().map(({ carrier }) => carrier?.kind));
  await tryIt("with the key where the contract does not declare it", {
    query: { ...values.query, ...(!carriers.has("query") && { api_key: key, key, access_token: key }) },
    headers: carriers.has("header") ? {} : { "x-api-key": key, "api-key": key, cookie: `api_key=${key}; token=${key}` },
  });
  if (carriers.has("basic") || !carriers.has("bearer")) return;
  const [, name, value] = written({ kind: "basic" }, key);
  await tryIt("with the key as basic authentication", { headers: { [name]: value } });
}

/** Whether a service returns an example for a wrong key, and marks it as one. The request is sent once. */
async function takesAnyKey(run: Run, service: LiveService): Promise<boolean | undefined> {
  const remembered = run.takesAnyKey.get(service);
  if (remembered !== undefined) return remembered;
  const operation = service.document.operations.find((one) => one.safe && !one.path.includes("{") && needsKey(one));
  if (operation === undefined) return undefined;
  const schemes = operation.security.flat();
  const credentials = Object.fromEntries(schemes.map(({ name }) => [name, `verify-${crypto.randomUUID()}`]));
  const target = { run, service, operation };
  const { answer } = await send(target, { ...harmless(target), credentials }, "with a wrong key");
  const takes = answer.isExample && answer.status < 300;
  run.takesAnyKey.set(service, takes);
  return takes;
}

/** A request that has no effect even if the service does not check the key: it is safe, or names what does not exist. */
function harmless(target: Target): Values | undefined {
  const { operation } = target;
  const [path = unknownPath(target)] = operation.safe ? pathsOf(target) : [];
  if (path === undefined) return undefined;
  if (!operation.safe) return { path, query: queryOf(target), ...(operation.body && { body: {} }) };
  return shownRequests(target, path)[0]?.values ?? { path };
}

export async function tryUnknown(target: Target): Promise<void> {
  const { run, service, operation } = target;
  await tryNone(target);
  // What a range or `default` says of a request depends on the service.
  if (!operation.responses.has("404")) return;
  const { root } = service.document;
  const example = bodyOf(target);
  // Nothing shows that the rest of such a request is valid.
  const isMade = isMadeUp(target) || (operation.body !== undefined && exampleBodies(operation).length === 0);
  const invalid = isMade ? [400, 422] : [];
  const expected = refusal(operation, 404, ...invalid);
  const query = queryOf(target);
  if (operation.path.includes("{")) {
    const path = unknownPath(target);
    if (path === undefined) return;
    await send(target, { path, query, body: example }, "with an unknown id", expected);
    // A service may mistake the last segment of a path for another route.
    const none = Object.fromEntries(Object.keys(path).map((name) => [name, "verify-none"]));
    const isText = Object.keys(path).every((name) => fitsPath(target, name, "verify-none"));
    const either = isText ? expected : refusal(operation, 404, invalidStatus(root, operation), ...invalid);
    await send(target, { path: none, query, body: example }, "with a text that is not an id", either);
    return;
  }
  const body = unknownBody(root, operation, example, run.own);
  if (body === undefined) return;
  await send(target, { query, body }, "with names that do not exist", expected);
  const changed = Object.keys(body).filter((name) => body[name] !== Object(example)[name]);
  const last = changed.at(-1);
  if (!operation.safe || last === undefined || changed.length === 1) return;
  const only = { ...Object(example), [last]: body[last] };
  await send(target, { query, body: only }, `with \`${last}\` that does not exist`, expected);
}

/** Requests a list of a model that is not known: it must be empty if a rule says so. */
async function tryNone(target: Target): Promise<void> {
  const { run, operation } = target;
  const rule = ruleOf(operation.node, "hardware-unknown-model");
  if (rule === undefined) return;
  const query = { ...queryOf(target), model: `verify-${crypto.randomUUID()}` };
  const exchange = await send(target, { query }, "with a model that does not exist");
  const options = Object.values(Object(exchange.answer.json?.value)).flat();
  const { basis, text: says } = rule;
  if (isPerformed(exchange) && options.length > 0)
    run.report(exchange, { pointer: operation.pointer, basis, says, seen: `${options.length} options` });
}

/** Sends requests that match no operation of a document of ours: to an unknown path, and, unless it may only read, with a method that a path does not support. */
export async function tryProtocol(run: Run, service: LiveService): Promise<void> {
  if (!isOurs(service.document)) return;
  const route = createRouter(service.document.operations);
  const paths = Array.from({ length: 20 }, (_, depth) => `/verify-no-such-path${"/verify".repeat(depth)}`);
  const none = paths.find((path) => route(path) === undefined);
  if (none === undefined) return;
  const says = "A path that is not in the document returns 404.";
  const expected = { statuses: [404], says, pointer: "#", basis: "adopted" } as const;
  const unknown = await plain(run, service, "GET", none, "an unknown path", expected);
  if (unknown.answer.status === 404) judgeError(run, unknown);
  if (run.options.read === true) return;
  const targets = run.targets().filter((one) => one.service === service);
  for (const path of new Set(targets.map(({ operation }) => operation.path))) {
    const here = service.document.operations.filter((operation) => operation.path === path);
    const isTarget = (one: Operation) => targets.some(({ operation }) => operation === one);
    const isChecked = here.every((one) => one.aliasOf === undefined && isTarget(one));
    if (isChecked && !path.includes("{")) await tryMethod(run, service, path, here);
  }
}

async function tryMethod(run: Run, service: LiveService, path: string, here: readonly Operation[]): Promise<void> {
  const declared = here.map(({ method }) => method);
  const method = ["PATCH", "PUT", "DELETE"].find((one) => !declared.includes(one));
  const [first] = here;
  if (method === undefined || first === undefined) return;
  const says = `The path supports ${declared.join(", ")}. Other methods return 405, and \`Allow\` lists the supported ones (RFC 9110).`;
  // A path that only a weaker basis has need not exist.
  const weaker = bases.find((one) => one !== "interface" && here.every((operation) => operation.basis === one));
  const basis = weaker ?? "adopted";
  const breach = { pointer: first.item.pointer, basis, says } as const;
  const tried = "a method that the document does not declare for this path";
  const exchange = await plain(run, service, method, path, tried, { ...breach, statuses: [405] });
  const { status, headers } = exchange.answer;
  if (status !== 405) return;
  const allow = headers.get("allow");
  const allowed = (allow ?? "").split(",").map((one) => one.trim().toUpperCase());
  const seen = allow === null ? "no Allow" : `Allow: ${allow}`;
  if (!declared.every((one) => allowed.includes(one))) run.report(exchange, { ...breach, seen });
  if (allowed.some((one) => !["", "HEAD", "OPTIONS", ...declared].includes(one)))
    run.report(exchange, { ...breach, certainty: "not declared", seen });
  judgeError(run, exchange);
}

function plain(
  run: Run,
  service: LiveService,
  method: string,
  path: string,
  tried: string,
  expected: Expected,
): Promise<Exchange> {
  const schemes = service.document.operations.flatMap(({ security }) => security.flat());
  const scheme = schemes.find(({ name }) => service.credentials[name] !== undefined);
  const [where, name, value] = written(scheme?.carrier, service.credentials[scheme?.name ?? ""] ?? "");
  const headers = { accept: "application/json", ...(scheme && where === "header" && { [name]: value }) };
  const sent = { method, url: service.baseUrl + path, headers };
  return run.exchange({ service, operation: undefined, sent, path: {}, tried }, expected);
}
