import { isObject } from "@trainyard/core/validation";
import { locateIn, shapeOf, successAnswers, type Operation } from "@trainyard/document";
import { validatorOf } from "@trainyard/host/validator";
import { pathNames } from "../../contract.ts";
import { bodyMedia } from "../../request.ts";
import { isOurs, itemsOf, send, type Target } from "../run.ts";
import { isPerformed } from "../wire.ts";
import { bodyOf, lacksKey, queryOf } from "./requests.ts";

/** Whether an operation changes what exists, so that the document of a stranger permits it only on what this run created. */
export function isGuarded(operation: Operation): boolean {
  return !isOurs(operation) && !operation.safe && operation.method !== "POST";
}

/** The ids of what this run created, for the path of an operation of a stranger. Empty if it created nothing there. */
export function ownPaths({ run, service, operation }: Target): Readonly<Record<string, string>>[] {
  const names = pathNames(operation);
  const own = run.created.filter((one) => one.service === service && one.item !== "" && !one.isDeleted);
  return own
    .filter(({ item }) => names.length > 0 && (operation.path === item || operation.path.startsWith(`${item}/`)))
    .map(({ path }) => path)
    .filter((path) => names.every((name) => path[name] !== undefined));
}

/** Creates on a stranger's service what can be read or deleted later, then changes it. The clean-up deletes it. */
export async function tryWrites(targets: readonly Target[]): Promise<void> {
  for (const target of targets.filter(({ operation }) => !isOurs(operation) && operation.method === "POST"))
    await attempt(target, reasonNotToCreate(target));
  for (const target of targets.filter(({ operation }) => isGuarded(operation)))
    if (target.operation.method !== "DELETE") await attempt(target);
    else if (!target.run.created.some(({ deletion }) => deletion === target.operation))
      stop(target, "this run created nothing that it deletes");
}

async function attempt(target: Target, reason?: string): Promise<void> {
  const { operation } = target;
  const paths = isGuarded(operation) || operation.path.includes("{") ? ownPaths(target) : [{}];
  const body = ownBody(target, paths[0] ?? {});
  const needed = paths.length === 0 ? "this run created nothing below which it acts" : undefined;
  const bodiless = operation.body?.required === true && body === undefined ? "no valid body is known" : undefined;
  const why = (lacksKey(target) ? "it needs a key" : undefined) ?? reason ?? needed ?? bodiless;
  if (why !== undefined) return stop(target, why);
  const exchange = await send(target, { path: paths[0], query: queryOf(target), body }, "with a valid body");
  if (!isPerformed(exchange)) target.run.stopped.set(operation, `a valid request returned ${exchange.answer.status}`);
}

function stop({ run, operation }: Target, why: string): void {
  run.stopped.set(operation, `not tried: ${why}`);
}

/** Why a creation is not tried; undefined if what it creates can be found again. */
function reasonNotToCreate({ service, operation }: Target): string | undefined {
  const items = itemsOf(service, operation.path);
  const [item] = items;
  if (item === undefined) return "no operation reads or deletes what it creates";
  const { root } = service.document;
  const given = successAnswers(operation).all.flatMap(({ media }) => {
    if (media?.schema === undefined) return [];
    const { properties } = shapeOf(root, media.schema);
    return [...properties.keys(), ...(properties.get("data")?.properties.keys() ?? [])];
  });
  return given.some((name) => idNames(item).includes(name)) ? undefined : "its answer gives no id of what it creates";
}

/** The names that an answer may give the id of a path by: that of the parameter, and `id`. */
export function idNames(item: Operation): string[] {
  return [pathNames(item).at(-1) ?? "", "id"];
}

/**
 * The example of a body, else a value of its schema: with the id of its path or none, and with the run's own words where any
 * text will do, so that what it creates is known as its own.
 */
function ownBody(target: Target, path: Readonly<Record<string, string>>): unknown {
  const { run, service, operation } = target;
  const shown = bodyOf(target);
  const schema = bodyMedia(operation)?.schema;
  if (!isObject(shown) || schema === undefined) return shown;
  const { root } = service.document;
  const judge = (body: unknown) => validatorOf(root).at(schema.pointer, body).length === 0;
  const body = { ...shown };
  for (const [name, value] of run.set) if (name in body) body[name] = value;
  const [item = operation] = operation.method === "POST" ? itemsOf(service, operation.path) : [];
  for (const name of idNames(item).filter((one) => one in body)) {
    const { [name]: _, ...rest } = body;
    const values = [path[name] ?? path[idNames(item)[0] ?? ""], Number(Object.values(path).at(-1) ?? Number.NaN)];
    const fresh = [...values, run.own, crypto.randomUUID(), Math.floor(Math.random() * 2 ** 31)];
    const usable = fresh.filter((one) => one === one && one !== undefined);
    // The id of an example may be that of somebody.
    const chosen = [rest, ...usable.map((one) => ({ ...rest, [name]: one }))].find(judge);
    if (chosen === undefined) return undefined;
    delete body[name];
    Object.assign(body, chosen);
  }
  for (const name of ["name", "title", "label", "description", "note", "comment", "subject"]) {
    const { node } = locateIn(root, schema, "properties", name);
    if (typeof body[name] === "string" && !("enum" in node) && judge({ ...body, [name]: run.own }))
      body[name] = run.own;
  }
  return body;
}
