import { formatLoc, isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import {
  absentIn,
  bases,
  basisAt,
  locateIn,
  mediaKind,
  requiredIn,
  responseOf,
  type Basis,
  type Located,
  type Operation,
  type Parameter,
} from "@trainyard/document";
import { invalidStatus } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import { bodyMedia, hasMembers, type Values } from "../../request.ts";
import { isOurs, send, type Expected, type Target } from "../run.ts";
import { basisOf, pointerAt, visit } from "../schema-visitor.ts";
import type { Exchange } from "../wire.ts";
import { exampleBodies, pathsOf, queryOf, refusal, shownRequests, unknownPath } from "./requests.ts";
import { isGuarded, ownPaths } from "./writes.ts";

/** The maximum number of bodies to try for one operation. Each breaks its schema in another way. */
const mostBodies = 10;

export async function tryInvalid(target: Target): Promise<void> {
  if (target.operation.body !== undefined) await tryBodies(target);
  await tryParameters(target);
}

/** That a request with some faults is rejected. If its path has an unknown id, the service may report either first. */
function rejected({ service, operation }: Target, isKnown: boolean, faults?: readonly Fault[]): Expected {
  const status = invalidStatus(service.document.root, operation, faults);
  return refusal(operation, status, ...(isKnown || !operation.path.includes("{") ? [] : [404]));
}

/** What is rejected on the basis of what it breaks, unless that of the response is weaker. */
function onBasis(root: object, expected: Expected, broken: readonly (Basis | undefined)[]): Expected {
  const strongest = bases.findLast((one) => broken.includes(one));
  const own = basisAt(root, expected.pointer ?? "#");
  return { ...expected, basis: bases.find((one) => one === own || one === strongest) };
}

async function tryBodies(target: Target): Promise<void> {
  const { run, service, operation } = target;
  const { root } = service.document;
  // A service may accept what it must reject: an operation that changes something is tried only on what this run created.
  const own = new Set(run.created.map(({ id }) => id));
  const existing = pathsOf(target).find((path) => operation.safe || Object.values(path).every((id) => own.has(id)));
  const isKnown = existing !== undefined;
  const [ownPath] = isGuarded(operation) ? ownPaths(target) : [];
  if (isGuarded(operation) && ownPath === undefined) return;
  const path = ownPath ?? existing ?? unknownPath(target);
  const kind = mediaKind(bodyMedia(operation)?.mediaType ?? "");
  if (path === undefined || !hasMembers(bodyMedia(operation))) return;
  const request = { path, query: queryOf(target) };
  const [, shown] = exampleBodies(operation)[0] ?? [];
  const example = operation.safe ? shown : (unknownBody(root, operation, shown, run.own) ?? shown);
  const most = operation.aliasOf === undefined ? mostBodies : 1;
  const schema = bodyMedia(operation)?.schema;
  for (const { body, what, faults } of badBodies(root, operation, example, most)) {
    const values = visit(root, schema?.pointer ?? "#", body);
    const broken = faults.map((fault) => basisOf(root, pointerAt(values, fault.loc.slice(1)) ?? "#", fault));
    const expected = onBasis(root, rejected(target, isKnown, faults), broken);
    judgeLocations(target, await send(target, { ...request, body }, what, expected), faults);
  }
  if (kind !== "json") return;
  const malformed = { ...rejected(target, isKnown), isAdopted: true };
  await send(target, { ...request, text: '{"verify": ' }, "with a body that is not JSON", malformed);
  // A schema without a type may permit a list, too.
  if (schema !== undefined && validatorOf(root).at(schema.pointer, []).length > 0)
    await send(target, { ...request, text: "[]" }, "with a list as the body", rejected(target, isKnown));
}

/** An error must name the locations of the faults if its schema has a field for them. */
function judgeLocations({ run, operation }: Target, exchange: Exchange, faults: readonly Fault[]): void {
  const { status, json } = exchange.answer;
  if (!isOurs(operation) || !isObject(json?.value) || (status !== 422 && status !== 400)) return;
  const { pointer } = responseOf(operation, status) ?? operation;
  const { detail, error } = json.value;
  const isLocated =
    Array.isArray(detail) && (detail.length === 0 || detail.some((one) => isObject(one) && "loc" in one));
  if (isLocated) {
    const types = new Map(detail.filter(isObject).map(({ loc, type }) => [JSON.stringify(loc), type]));
    const typeOf = ({ loc }: Fault): unknown => types.get(JSON.stringify(loc));
    const report = (says: string, seen: string) => run.report(exchange, { pointer, says, seen, isAdopted: true });
    const missing = faults.find(({ loc }) => !types.has(JSON.stringify(loc)));
    if (missing)
      report("`detail` has an entry with the location of each fault.", `no entry for ${formatLoc(missing.loc)}`);
    const required = faults.find((one) => one.type === "missing" && (typeOf(one) ?? "missing") !== "missing");
    if (required) report("A missing required property has the type `missing`.", String(typeOf(required)));
  }
  const [first, ...others] = faults;
  if (!isObject(error) || first === undefined || others.length > 0) return;
  const location = formatLoc(first.loc.slice(1));
  const says = "`error.param` is the path of the invalid property.";
  if (location !== "" && "param" in error && error["param"] !== location)
    run.report(exchange, { pointer, says, seen: `${JSON.stringify(error["param"])} for ${location}` });
}

async function tryParameters(target: Target): Promise<void> {
  const { operation } = target;
  const [existing] = pathsOf(target);
  const path = existing ?? unknownPath(target);
  const [shown] = path === undefined ? [] : shownRequests(target, path);
  if (!operation.safe || shown === undefined || operation.aliasOf !== undefined) return;
  for (const parameter of operation.parameters) {
    const { name, in: where, schema } = parameter;
    const { root } = target.service.document;
    const expected = onBasis(root, rejected(target, existing !== undefined), [basisAt(root, parameter.pointer)]);
    const isNeeded = parameter.required && schema.node["default"] === undefined;
    if (where !== "query" && where !== "header") continue;
    const attempt = async (tried: string, values: Values, type: Fault["type"]): Promise<void> => {
      const exchange = await send(target, { ...shown.values, ...values }, tried, expected);
      if (where === "query") judgeLocations(target, exchange, [{ loc: ["query", name], msg: "", type }]);
    };
    const others = queryOf(target, name);
    if (isNeeded && where === "query") await attempt(`without ${name}`, { query: others }, "missing");
    for (const value of wrongValues(target, parameter)) {
      const values = where === "query" ? { query: { ...others, [name]: value } } : { headers: { [name]: value } };
      await attempt(`${name} ${value}`, values, "value_error");
    }
  }
}

function wrongValues({ service }: Target, { schema }: Parameter): string[] {
  const { minimum, maximum, type, pattern } = schema.node;
  const candidates = [
    ...(typeof minimum === "number" ? [minimum - 1] : []),
    ...(typeof maximum === "number" ? [maximum + 1] : []),
    ...("enum" in schema.node || type === "integer" || type === "boolean" ? ["verify-none"] : []),
    ...(typeof pattern === "string" ? ["verify-none", "a/b/c"] : []),
  ];
  const validator = validatorOf(service.document.root);
  return candidates.filter((value) => validator.at(schema.pointer, value).length > 0).map(String);
}

/** Bodies that break a schema in one location each, each kind of fault first, and one that breaks what had no turn. */
function badBodies(
  root: object,
  operation: Operation,
  example: unknown,
  most: number,
): (Change & { readonly faults: readonly Fault[] })[] {
  const media = bodyMedia(operation);
  if (media?.schema === undefined) return [];
  const { schema, mediaType } = media;
  const judged = (change: Change) => {
    const faults = validatorOf(root).at(schema.pointer, change.body);
    return { ...change, faults: faults.map((fault) => ({ ...fault, loc: ["body", ...fault.loc] })) };
  };
  // The texts of a form have the types that its schema gives them.
  const candidates = [{ body: {}, what: "with an empty object" }, ...changes(root, schema, example, 4)]
    .filter(({ what }) => mediaKind(mediaType) === "json" || !/with a value/.test(what))
    .map(judged)
    .filter(({ faults }) => faults.length > 0);
  const had = new Set<string>(["body"]);
  const propertyOf = ({ what }: Change): string => /`(\w+)/.exec(what)?.[1] ?? "body";
  const kindOf = ({ what }: Change): string => what.replaceAll(/`[^`]*`/g, "");
  const topicsOf = (one: Change): string[] => [one.what, propertyOf(one), kindOf(one)];
  const news = (one: Change): number =>
    topicsOf(one).reduce((sum, topic, rank) => sum + (had.has(topic) ? 0 : 2 ** rank), 0);
  const chosen: typeof candidates = [];
  while (chosen.length < Math.min(most, candidates.length)) {
    const left = candidates.filter((one) => !chosen.includes(one));
    const best = left.reduce((before, one) => (news(one) > news(before) ? one : before));
    for (const topic of topicsOf(best)) had.add(topic);
    chosen.push(best);
  }
  const others = candidates.flatMap((one): [string, unknown][] => {
    const name = propertyOf(one);
    return !had.has(name) && isObject(one.body) && name in one.body ? [[name, one.body[name]]] : [];
  });
  if (most === 1 || others.length === 0 || !isObject(example)) return chosen;
  const body = { ...example, ...Object.fromEntries(others) };
  return [...chosen, judged({ body, what: "with invalid values at all other properties" })];
}

interface Change {
  readonly body: unknown;
  readonly what: string;
}

const others: readonly unknown[] = [7, "verify", true, { verify: 1 }, null];

/** Values that a service may take for one of a type, although they have another. */
const lookalikes: Readonly<Record<string, unknown>> = { boolean: "yes", integer: "7", number: "7" };

/** Copies of a value with one change each, down to some depth. */
function changes(root: object, schema: Located, value: unknown, depth: number, path = ""): Change[] {
  const { node } = schema;
  const { minimum, maximum, maxLength, pattern } = node;
  const alike = [node["type"] ?? []].flat().flatMap((type) => (typeof type === "string" && lookalikes[type]) || []);
  const of = [...alike, ...others].filter(
    (other) => typeof other !== typeof value || (other === null) !== (value === null),
  );
  const wrong: (readonly [unknown, what: string])[] = of.slice(0, 2).map((other) => [other, "of another type"]);
  if (typeof minimum === "number") wrong.push([minimum - 1, "below the limit"]);
  if (typeof maximum === "number") wrong.push([maximum + 1, "above the limit"]);
  if (typeof maxLength === "number") wrong.push(["x".repeat(maxLength + 1), "that is too long"]);
  if (typeof pattern === "string") wrong.push(["/:\u0001[", "that does not match the pattern"]);
  if ("enum" in node || "const" in node) wrong.push(["verify-none", "that is not in the list"]);
  const found: Change[] = wrong.map(([body, what]) => ({
    body,
    what: `with a value ${what} at \`${path || "body"}\``,
  }));
  const enter = (key: string, keys: readonly string[], below: string, put: (inner: unknown) => unknown): void => {
    const inner = changes(root, locateIn(root, schema, ...keys), Object(value)[key], depth - 1, below);
    found.push(...inner.map(({ body, what }) => ({ body: put(body), what })));
  };
  if (Array.isArray(value) && isObject(node["items"]) && value.length > 0 && depth > 0)
    enter("0", ["items"], `${path}[]`, (inner) => value.with(0, inner));
  if (!isObject(value)) return found;
  const start = path === "" ? "" : `${path}.`;
  for (const name of requiredIn(root, schema, "request")) {
    const { [name]: _, ...body } = value;
    found.push({ body, what: `without \`${start}${name}\`` });
  }
  if (node["additionalProperties"] === false)
    found.push({ body: { ...value, verify_unknown: 1 }, what: `with an unknown property at \`${path || "body"}\`` });
  // A service may ignore what only it writes.
  const absent = absentIn(root, node, "request");
  for (const name of depth > 0 ? Object.keys(Object(node["properties"])) : [])
    if (!absent.has(name)) enter(name, ["properties", name], start + name, (inner) => ({ ...value, [name]: inner }));
  return found;
}

/**
 * An example with new ids and the run's own names, so that it refers to nothing that exists, even if a service accepts what it
 * must reject. Undefined if it has neither.
 */
export function unknownBody(root: object, operation: Operation, example: unknown, own: string): JsonObject | undefined {
  const schema = bodyMedia(operation)?.schema;
  if (schema === undefined || !isObject(example)) return undefined;
  const required = new Set(requiredIn(root, schema, "request"));
  const changed = Object.entries(example).flatMap(([name, value]): [string, string][] => {
    const { node } = locateIn(root, schema, "properties", name);
    const isChosen = operation.safe ? required.has(name) : ["project", "name"].includes(name);
    const isName = isChosen && node["type"] === "string" && !("format" in node);
    if (typeof value !== "string") return [];
    return node["format"] === "uuid" ? [[name, crypto.randomUUID()]] : isName ? [[name, own]] : [];
  });
  return changed.length > 0 ? { ...example, ...Object.fromEntries(changed) } : undefined;
}
