import { formatLoc, isObject, type Fault } from "@trainyard/core/validation";
import { responseOf, type Parameter } from "@trainyard/document";
import { invalidStatus } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import type { Values } from "../../request.ts";
import { send, type Expected, type Target } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { badBodies, unknownBody } from "./bodies.ts";
import { exampleBodies, pathsOf, queryOf, refusal, shownRequests, unknownPath } from "./requests.ts";

/** The maximum number of bodies to try for one operation. Each breaks its schema in another way. */
const mostBodies = 8;

/** Sends invalid requests: bodies that break the schema, text that is not JSON, parameters outside of their limits. */
export async function tryInvalid(target: Target): Promise<void> {
  if (target.operation.body !== undefined) await tryBodies(target);
  await tryParameters(target);
}

/** That a request with some faults is rejected. If its path has an unknown id, the service may report either first. */
function rejected({ service, operation }: Target, isKnown: boolean, faults?: readonly Fault[]): Expected {
  const status = invalidStatus(service.document.root, operation, faults);
  return refusal(operation, status, ...(isKnown || !operation.path.includes("{") ? [] : [404]));
}

async function tryBodies(target: Target): Promise<void> {
  const { run, service, operation } = target;
  const { root } = service.document;
  // A service may accept what it must reject: an operation that changes something is tried only on what this run created.
  const own = new Set(run.known.created.map(({ id }) => id));
  const existing = pathsOf(target).find((path) => operation.safe || Object.values(path).every((id) => own.has(id)));
  const isKnown = existing !== undefined;
  const request = { path: existing ?? unknownPath(operation), query: queryOf(target) };
  const [, shown] = exampleBodies(operation)[0] ?? [];
  const example = operation.safe ? shown : (unknownBody(root, operation, shown, run.own) ?? shown);
  const most = operation.aliasOf === undefined ? mostBodies : 1;
  for (const { body, what, faults } of badBodies(root, operation, example, most))
    judgeLocations(target, await send(target, { ...request, body }, what, rejected(target, isKnown, faults)), faults);
  const malformed = rejected(target, isKnown);
  await send(target, { ...request, text: '{"verify": ' }, "with a body that is not JSON", malformed);
  await send(target, { ...request, text: "[]" }, "with a list as the body", malformed);
}

/** An error must name the locations of the faults if its schema has a field for them. */
function judgeLocations({ run, operation }: Target, exchange: Exchange, faults: readonly Fault[]): void {
  const { status, json } = exchange.answer;
  if (!isObject(json?.value) || (status !== 422 && status !== 400)) return;
  const { pointer } = responseOf(operation, status) ?? operation;
  const { detail, error } = json.value;
  if (Array.isArray(detail)) {
    const types = new Map(detail.filter(isObject).map(({ loc, type }) => [JSON.stringify(loc), type]));
    const typeOf = ({ loc }: Fault): unknown => types.get(JSON.stringify(loc));
    const missing = faults.find(({ loc }) => !types.has(JSON.stringify(loc)));
    const says = "`detail` has an entry with the location of each fault.";
    if (missing !== undefined) run.report(exchange, { pointer, says, seen: `no entry for ${formatLoc(missing.loc)}` });
    const required = faults.find(
      (one) => one.type === "missing" && types.has(JSON.stringify(one.loc)) && typeOf(one) !== "missing",
    );
    const rule = "A missing required property has the type `missing`.";
    if (required !== undefined) run.report(exchange, { pointer, says: rule, seen: String(typeOf(required)) });
  }
  const [first, ...others] = faults;
  if (!isObject(error) || first === undefined || others.length > 0) return;
  const location = formatLoc(first.loc.slice(1));
  const says = "`error.param` is the path of the invalid property.";
  if (location !== "" && error["param"] !== location)
    run.report(exchange, { pointer, says, seen: `${JSON.stringify(error["param"])} for ${location}` });
}

/** Tries invalid query parameters and headers of safe operations. */
async function tryParameters(target: Target): Promise<void> {
  const { operation } = target;
  const [existing] = pathsOf(target);
  const [shown] = shownRequests(target, existing ?? unknownPath(operation));
  if (!operation.safe || shown === undefined || operation.aliasOf !== undefined) return;
  const expected = rejected(target, existing !== undefined);
  for (const parameter of operation.parameters) {
    const { name, in: where, required } = parameter;
    if (where !== "query" && where !== "header") continue;
    const attempt = async (tried: string, values: Values, type: Fault["type"]): Promise<void> => {
      const exchange = await send(target, { ...shown.values, ...values }, tried, expected);
      if (where === "query") judgeLocations(target, exchange, [{ loc: ["query", name], msg: "", type }]);
    };
    const { [name]: _, ...others } = shown.values.query ?? {};
    if (required && where === "query") await attempt(`without ${name}`, { query: others }, "missing");
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
