import { isObject } from "@trainyard/core/validation";
import { responseOf, writeStyled, type Operation, type Parameter } from "@trainyard/document";
import { readParameterValues, sampleOf } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import { pathNames } from "../../contract.ts";
import { bodyMedia, chooseSchemes, headersFrom, type Values } from "../../request.ts";
import { textOf } from "../../text.ts";
import { isOurs, type Expected, type Target } from "../run.ts";

/** Path parameters to call an operation with: those of `--set`, else ids that exist. Empty if the run knows none. */
export function pathsOf({ run, service, operation }: Target, most = 2): Readonly<Record<string, string>>[] {
  const names = pathNames(operation);
  if (names.length === 0) return [{}];
  const values = names.map((name) => {
    const own = run.set.get(name);
    return own === undefined ? [...run.ids(service, operation.path, name)].slice(-most) : [own];
  });
  const idOf = (at: number, index: number): string => values[at]?.[index] ?? values[at]?.[0] ?? "";
  const paths = values[0]?.map((_, index) => Object.fromEntries(names.map((name, at) => [name, idOf(at, index)])));
  return (paths ?? []).filter((path) => Object.values(path).every((value) => value !== ""));
}

/** Path parameters as the document's examples have them; undefined if one has none. Nothing says that they exist. */
export function shownPath({ operation }: Target): Record<string, string> | undefined {
  // OpenAPI permits no query in a path, so nothing says what serves one.
  if (operation.path.includes("?")) return undefined;
  const shown = operation.parameters.filter((one) => one.in === "path" && one.example !== undefined);
  if (shown.length < pathNames(operation).length) return undefined;
  return Object.fromEntries(shown.map(({ name, example }) => [name, textOf(example)]));
}

/** Path parameters of a resource that does not exist; undefined if the schemas permit none that surely does not. */
export function unknownPath(target: Pick<Target, "service" | "operation">): Record<string, string> | undefined {
  const path: Record<string, string> = {};
  for (const name of pathNames(target.operation)) {
    const value = [crypto.randomUUID(), "2147483647", "32767"].find((text) => fitsPath(target, name, text));
    if (value === undefined) return undefined;
    path[name] = value;
  }
  return path;
}

export function fitsPath(
  { service, operation }: Pick<Target, "service" | "operation">,
  name: string,
  text: string,
): boolean {
  const { root } = service.document;
  const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
  if (parameter === undefined) return true;
  const sent = { headers: new Headers(), path: { [name]: text } };
  const value = readParameterValues(root, [parameter], "path", sent)[name];
  return validatorOf(root).at(parameter.schema.pointer, value).length === 0;
}

export function exampleBodies(operation: Operation): [name: string, value: unknown][] {
  return [...(bodyMedia(operation)?.examples ?? [])];
}

export function shownRequests(target: Target, path: Values["path"]): { name: string; values: Values }[] {
  const { run, operation } = target;
  const query = queryOf(target);
  const properties = bodyMedia(operation)?.schema?.node["properties"];
  const own = [...run.set].filter(([name]) => Object.hasOwn(Object(properties), name));
  const examples = exampleBodies(operation);
  const bodies = examples.length > 0 || operation.body?.required === true ? examples : [["", undefined] as const];
  return bodies.map(([name, example]) => {
    const body = isObject(example) ? { ...example, ...Object.fromEntries(own) } : example;
    return { name, values: { path, query, body } };
  });
}

export function needsKey({ security }: Operation): boolean {
  return security.length > 0 && security.every((schemes) => schemes.length > 0);
}

/** Whether an operation needs a key, and none is set: the service refuses it, rightly. */
export function lacksKey({ service, operation }: Target): boolean {
  return needsKey(operation) && chooseSchemes(operation, service.credentials).length === 0;
}

export function refusal(operation: Operation, status: number, ...others: readonly number[]): Expected {
  const { description = "", pointer } = responseOf(operation, status) ?? {};
  // Only a document of ours says which of the declared statuses it is.
  const any = isOurs(operation) && operation.responses.has(String(status)) ? [] : clientErrors;
  return {
    statuses: [status, ...others, ...any],
    says: `${status}: ${description || "The request is rejected."}`,
    pointer,
  };
}

const clientErrors = Array.from({ length: 100 }, (_, at) => 400 + at);

type Texts = string | string[];
type Place = "query" | "header" | "cookie";

/** The parameters that a request must have, each with its names and texts; undefined if no value is known. */
function required(target: Target, where: Place): [name: string, sent: [string, Texts][] | undefined][] {
  return target.operation.parameters
    .filter((one) => one.in === where && one.required)
    .map((one) => [one.name, textsOf(target, one)]);
}

/** A parameter as it is sent: with the value of `--set`, else with its example, else with a value of its schema. */
function textsOf({ run, service }: Target, parameter: Parameter): [string, Texts][] | undefined {
  const { name, example, schema, style } = parameter;
  const own = run.set.get(name);
  if (own !== undefined) return [[name, own]];
  // Items that no style writes are sent as JSON, as the example shows them.
  const shown = style !== "json" && Array.isArray(example) ? example.map(textOf) : example;
  const { value, faults } =
    shown === undefined ? sampleOf(service.document.root, schema, "verify", "request") : { value: shown, faults: [] };
  if (faults.length > 0) return undefined;
  try {
    const written = writeStyled(parameter, value);
    return written.length > 0 ? written : undefined;
  } catch {
    // OpenAPI does not define how such a value is written.
    return undefined;
  }
}

export function queryOf(target: Target, without?: string): Record<string, Texts> {
  const { run, operation } = target;
  const names = new Set(operation.parameters.filter((one) => one.in === "query").map(({ name }) => name));
  const pairs = required(target, "query").flatMap(([name, sent]) => (name === without ? [] : (sent ?? [])));
  const own = [...run.set].filter(([name]) => names.has(name) && name !== without);
  return Object.fromEntries([...pairs, ...own]);
}

export function headersOf(target: Target): Record<string, string> {
  const pairs = (where: Place) => required(target, where).flatMap(([, sent]) => sent ?? []);
  return headersFrom(pairs("header"), pairs("cookie"));
}

/** The required parameters without an example whose schema gives no value either, so that no request can be made. */
export function valueless(target: Target): string[] {
  return (["query", "header", "cookie"] as const).flatMap((where) =>
    required(target, where).flatMap(([name, sent]) => (sent === undefined ? [name] : [])),
  );
}

export function bodyOf({ service, operation }: Target): unknown {
  const media = bodyMedia(operation);
  const [first] = media?.examples.values() ?? [];
  if (first !== undefined || operation.body?.required !== true || media?.schema === undefined) return first;
  const { value, faults } = sampleOf(service.document.root, media.schema, "verify", "request");
  return faults.length === 0 ? value : undefined;
}

/** Whether a required parameter gets a value that the document does not show, so that the service may refuse it. */
export function isMadeUp({ run, operation }: Target): boolean {
  return operation.parameters.some(
    ({ in: where, name, required: must, example }) =>
      where !== "path" && must && example === undefined && !run.set.has(name),
  );
}
