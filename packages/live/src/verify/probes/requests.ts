import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import type { Operation } from "@trainyard/document";
import type { Values } from "../../request.ts";
import type { LiveService } from "../../service.ts";
import type { Run } from "../run.ts";
import { exampleBodies, withSet } from "./bodies.ts";

/** A request from an example of the document. */
export interface Shown {
  readonly values: Values;
  readonly name: string;
}

/** Path parameters to call an operation with: those of `--set`, else ids that the run knows. Empty if it knows none. */
export function pathsOf(
  run: Run,
  service: LiveService,
  operation: Operation,
  most = 2,
): Readonly<Record<string, string>>[] {
  const names = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
  if (names.length === 0) return [{}];
  const values = names.map((name) => {
    const { [name]: own } = run.options.set;
    return own === undefined ? run.known.ids(service, name).slice(-most) : [own];
  });
  const [first = [], ...others] = values;
  return first
    .map((value, index) =>
      Object.fromEntries(
        names.map((name, at) => [name, at === 0 ? value : (others[at - 1]?.[index] ?? others[at - 1]?.[0] ?? "")]),
      ),
    )
    .filter((path) => Object.values(path).every((value) => value !== ""));
}

/** Path parameters of a resource that does not exist. */
export function unknownPath(
  operation: Operation,
  value: () => string = () => crypto.randomUUID(),
): Record<string, string> {
  const names = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
  return Object.fromEntries(names.map((name) => [name, value()]));
}

/** The required query parameters, and those of `--set`. */
export function queryOf(run: Run, operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.parameters.flatMap((parameter): [string, string][] => {
      if (parameter.in !== "query") return [];
      const own = run.options.set[parameter.name];
      if (own !== undefined) return [[parameter.name, own]];
      return parameter.required && parameter.example !== undefined ? [[parameter.name, textOf(parameter.example)]] : [];
    }),
  );
}

/** A request for each example of an operation, with path parameters. */
export function shownRequests(run: Run, operation: Operation, path: Readonly<Record<string, string>>): Shown[] {
  const query = queryOf(run, operation);
  const bodies = operation.body ? exampleBodies(operation) : [["", undefined] as [string, unknown]];
  return bodies.map(([name, example]) => {
    const body = withSet(operation, example, run.options.set);
    const stream = operation.stream !== undefined && isObject(body) && body[operation.stream.toggle] === true;
    return { name, values: { path, query, body, stream } };
  });
}
