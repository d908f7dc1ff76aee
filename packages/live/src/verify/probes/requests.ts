import { isObject } from "@trainyard/core/validation";
import { jsonOf, responseOf, type Operation } from "@trainyard/document";
import { pathNames } from "../../contract.ts";
import type { Values } from "../../request.ts";
import type { Expected, Target } from "../run.ts";
import { queryOf } from "./values.ts";

/** Path parameters to call an operation with: those of `--set`, else ids that the run knows. Empty if it knows none. */
export function pathsOf({ run, service, operation }: Target, most = 2): Readonly<Record<string, string>>[] {
  const names = pathNames(operation);
  if (names.length === 0) return [{}];
  const values = names.map((name) => {
    const own = run.options.set?.[name];
    return own === undefined ? [...run.ids(service, name)].slice(-most) : [own];
  });
  return (values[0] ?? [])
    .map((_, index) =>
      Object.fromEntries(names.map((name, at) => [name, values[at]?.[index] ?? values[at]?.[0] ?? ""])),
    )
    .filter((path) => Object.values(path).every((value) => value !== ""));
}

/** Path parameters of a resource that does not exist. */
export function unknownPath(operation: Operation, value = (): string => crypto.randomUUID()): Record<string, string> {
  return Object.fromEntries(pathNames(operation).map((name) => [name, value()]));
}

/** The named examples of a request body. */
export function exampleBodies({ body }: Operation): [name: string, value: unknown][] {
  return [...(body ? (jsonOf(body.content)?.examples ?? []) : [])];
}

/** A request for each example of an operation, with path parameters and with the values of `--set`. */
export function shownRequests(target: Target, path: Values["path"]): { name: string; values: Values }[] {
  const { run, operation } = target;
  const query = queryOf(target);
  const properties = jsonOf(operation.body?.content ?? new Map())?.schema?.node["properties"];
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

/** That a request is rejected with a status, as the operation's response for it says. */
export function refusal(operation: Operation, status: number, ...others: readonly number[]): Expected {
  const { description = "The request is rejected.", pointer } = responseOf(operation, status) ?? {};
  return { statuses: [status, ...others], says: `${status}: ${description}`, pointer };
}
