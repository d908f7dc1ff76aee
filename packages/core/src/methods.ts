import { createEngine, type Engine } from "./engine.ts";
import type { Operation, Service } from "./operation.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { parameter } from "./paths.ts";
import { call, type Op } from "./sends.ts";

/** The methods of operations, under the names that they are given. */
export type MethodsOf<Ops> = { readonly [Name in keyof Ops]: Ops[Name] extends Op<infer Method> ? Method : never };

type Made = Record<string, unknown>;

/** The method of an operation: by position the path, the body and the query, as far as it has them, and options. */
function methodOf(engine: Engine, op: Op, verb: string): unknown {
  const { path: template, body: hasBody, query, send = call } = op;
  const [only, ...others] = new Set(template.match(parameter)?.map((name) => name.slice(1, -1)));
  const method = (...given: unknown[]): unknown => {
    let next = 0;
    const parts: Made = {};
    if (only !== undefined) {
      const path = given[next++];
      parts["path"] = others.length > 0 ? path : { [only]: path };
    }
    if (hasBody) parts["body"] = given[next++];
    if (query === "argument") parts["query"] = given[next++];
    const options = given[next] as (CallOptions & { readonly query?: object }) | undefined;
    if (query === "option") parts["query"] = options?.query;
    return send(engine, op, options, parts);
  };
  // For traces and inspection.
  return Object.defineProperty(method, "name", { value: verb });
}

/**
 * Creates a client with a method for each operation, in the groups of its name: `models.create`.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the generator knows the type
export function clientOf<Client>(service: Service, options: ClientOptions, ...operations: Operation[]): Client {
  const engine = createEngine(service, options, operations);
  const client: Made = {};
  for (const op of operations) {
    const groups = op.name.split(".");
    const verb = groups.pop() as string;
    let group = client;
    for (const name of groups) group = (group[name] ??= {}) as Made;
    group[verb] = methodOf(engine, op, verb);
  }
  return client as Client;
}

/**
 * Creates a client with a method for each of some operations, under the names that they are given.
 * @throws {@link ConfigurationError} naming the option or variable that is missing or invalid.
 */
export function pickClient<Ops extends { readonly [name: string]: Op }>(
  service: Service,
  options: ClientOptions,
  operations: Ops,
): MethodsOf<Ops> {
  const engine = createEngine(service, options, Object.values(operations));
  const methods = Object.entries(operations).map(([name, op]) => [name, methodOf(engine, op, name)]);
  return Object.fromEntries(methods) as MethodsOf<Ops>;
}
