import { isObject } from "@trainyard/core/validation";
import { responseOf, type Operation } from "@trainyard/document";
import { readParameterValues } from "@trainyard/host";
import { validatorOf } from "@trainyard/host/validator";
import { pathNames } from "../../contract.ts";
import { bodyMedia, chooseSchemes, type Values } from "../../request.ts";
import { textOf } from "../../text.ts";
import { isOurs, type Expected, type Target } from "../run.ts";
import { queryOf } from "./values.ts";

/** Path parameters to call an operation with: those of `--set`, else ids that exist. Empty if the run knows none. */
export function pathsOf({ run, service, operation }: Target, most = 2): Readonly<Record<string, string>>[] {
  const names = pathNames(operation);
  if (names.length === 0) return [{}];
  const values = names.map((name) => {
    const own = run.options.set?.[name];
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

/** Whether a text is a valid value of a path parameter. */
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

/** The named examples of a request body. */
export function exampleBodies(operation: Operation): [name: string, value: unknown][] {
  return [...(bodyMedia(operation)?.examples ?? [])];
}

/** A request for each example of an operation, with path parameters and with the values of `--set`. */
export function shownRequests(target: Target, path: Values["path"]): { name: string; values: Values }[] {
  const { run, operation } = target;
  const query = queryOf(target);
  const properties = bodyMedia(operation)?.schema?.node["properties"];
  const own = Object.entries(run.options.set ?? {}).filter(([name]) => Object.hasOwn(Object(properties), name));
  const examples = exampleBodies(operation);
  const bodies = examples.length > 0 || operation.body?.required === true ? examples : [["", undefined] as const];
  return bodies.map(([name, example]) => {
    const body = isObject(example) ? { ...example, ...Object.fromEntries(own) } : example;
    return { name, values: { path, query, body } };
  });
}

/** Whether an operation cannot be called without a key. */
export function needsKey({ security }: Operation): boolean {
  return security.length > 0 && security.every((schemes) => schemes.length > 0);
}

/** Whether an operation needs a key, and none is set: the service refuses it, rightly. */
export function lacksKey({ service, operation }: Target): boolean {
  return needsKey(operation) && chooseSchemes(operation, service.credentials).length === 0;
}

/** That a request is rejected with a status, as the operation's response for it says. */
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
