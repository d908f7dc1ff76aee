import { formatLoc, isObject, type Fault } from "@trainyard/core/validation";
import { responseOf, type Operation, type Parameter } from "@trainyard/document";
import { invalidStatus } from "@trainyard/host";
import type { LiveService } from "../../service.ts";
import type { Expected, Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { badBodies, exampleBodies, unknownBody } from "./bodies.ts";
import { pathsOf, queryOf, shownRequests, unknownPath } from "./requests.ts";

/** The maximum number of bodies to try for one operation. Each breaks its schema in another way. */
const mostBodies = 8;

/** Sends invalid requests: bodies that break the schema, text that is not JSON, parameters outside of their limits. */
export async function tryInvalid(run: Run, service: LiveService, operation: Operation): Promise<void> {
  if (operation.body !== undefined) await tryBodies(run, service, operation);
  await tryParameters(run, service, operation);
}

async function tryBodies(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const { root } = service.document;
  // A service may accept what it must reject: an operation that changes something is tried only on what this run created.
  const own = new Set(run.known.created.map(({ id }) => id));
  const existing = pathsOf(run, service, operation).find(
    (path) => operation.safe || Object.values(path).every((id) => own.has(id)),
  );
  const path = existing ?? unknownPath(operation);
  const [shown] = exampleBodies(operation);
  const example = operation.safe ? shown?.[1] : (unknownBody(root, operation, shown?.[1], run.own) ?? shown?.[1]);
  const query = queryOf(run, operation);
  const validator = run.validator(service);
  const most = operation.aliasOf === undefined ? mostBodies : 1;
  const bad = badBodies(root, validator, operation, example, most);
  for (const { body, what, faults } of bad) {
    const expected = refusal(operation, invalidStatus(root, operation, faults), existing !== undefined);
    const exchange = await run.send(service, operation, { path, query, body }, { tried: what, expected });
    judgeLocations(run, exchange, faults);
  }
  const malformed = refusal(operation, invalidStatus(root, operation), existing !== undefined);
  for (const [text, tried] of [
    ['{"verify": ', "with a body that is not JSON"],
    ["[]", "with a list as the body"],
  ] as const)
    await run.send(service, operation, { path, query, text }, { tried, expected: malformed });
}

/** If the path has an unknown id, the service may report either first: the id, or the fault. */
function refusal(operation: Operation, status: number, isKnown: boolean): Expected {
  const response = responseOf(operation, status);
  const statuses = isKnown || !operation.path.includes("{") ? [status] : [status, 404];
  return {
    statuses,
    says: `${status}: ${response?.description ?? "An invalid request is rejected."}`,
    ...(response && { pointer: response.pointer }),
  };
}

/** An error must name the locations of the faults if its schema has a field for them. */
function judgeLocations(run: Run, exchange: Exchange, faults: readonly Fault[]): void {
  const { answer, operation } = exchange;
  const body = answer.json?.value;
  if (operation === undefined || !isObject(body) || (answer.status !== 422 && answer.status !== 400)) return;
  const media = responseOf(operation, answer.status)?.pointer ?? operation.pointer;
  const { detail, error } = body;
  if (Array.isArray(detail)) {
    const named = new Set(detail.filter(isObject).map(({ loc }) => JSON.stringify(loc)));
    const missing = faults.find(({ loc }) => !named.has(JSON.stringify(loc)));
    if (missing !== undefined)
      run.report(exchange, {
        pointer: media,
        says: "`detail` has an entry with the location of each fault.",
        seen: `no entry for ${formatLoc(missing.loc)}`,
      });
    const types = new Map(detail.filter(isObject).map(({ loc, type }) => [JSON.stringify(loc), type]));
    const required = faults.find(
      ({ loc, type }) =>
        type === "missing" && types.has(JSON.stringify(loc)) && types.get(JSON.stringify(loc)) !== "missing",
    );
    if (required !== undefined)
      run.report(exchange, {
        pointer: media,
        says: "A missing required property has the type `missing`.",
        seen: String(types.get(JSON.stringify(required.loc))),
      });
  }
  const [first, ...others] = faults;
  if (!isObject(error) || first === undefined || others.length > 0) return;
  const location = formatLoc(first.loc.slice(1));
  if (location === "" || error["param"] === location) return;
  run.report(exchange, {
    pointer: media,
    says: "`error.param` is the path of the invalid property.",
    seen: `${JSON.stringify(error["param"])} for ${location}`,
  });
}

/** Tries invalid query parameters and headers of safe operations. */
async function tryParameters(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const { root } = service.document;
  const [existing] = pathsOf(run, service, operation);
  const [shown] = shownRequests(run, operation, existing ?? unknownPath(operation));
  if (!operation.safe || shown === undefined || operation.aliasOf !== undefined) return;
  for (const parameter of operation.parameters) {
    if (parameter.in !== "query" && parameter.in !== "header") continue;
    const expected = refusal(operation, invalidStatus(root, operation), existing !== undefined);
    if (parameter.required && parameter.in === "query") {
      const { [parameter.name]: _, ...query } = shown.values.query ?? {};
      const exchange = await run.send(
        service,
        operation,
        { ...shown.values, query },
        { tried: `without ${parameter.name}`, expected },
      );
      judgeLocations(run, exchange, [{ loc: ["query", parameter.name], msg: "", type: "missing" }]);
    }
    for (const value of wrongValues(run, service, parameter)) {
      const values =
        parameter.in === "query"
          ? { ...shown.values, query: { ...shown.values.query, [parameter.name]: value } }
          : { ...shown.values, headers: { [parameter.name]: value } };
      const tried = `${parameter.name} ${value}`;
      const exchange = await run.send(service, operation, values, { tried, expected });
      if (parameter.in === "query")
        judgeLocations(run, exchange, [{ loc: ["query", parameter.name], msg: "", type: "value_error" }]);
    }
  }
}

function wrongValues(run: Run, service: LiveService, { schema }: Parameter): string[] {
  const { minimum, maximum, type, pattern } = schema.node;
  const candidates = [
    ...(typeof minimum === "number" ? [minimum - 1] : []),
    ...(typeof maximum === "number" ? [maximum + 1] : []),
    ...("enum" in schema.node || type === "integer" || type === "boolean" ? ["verify-none"] : []),
    ...(typeof pattern === "string" ? ["verify-none", "a/b/c"] : []),
  ];
  const validator = run.validator(service);
  return candidates.filter((value) => validator.at(schema.pointer, value).length > 0).map(String);
}
