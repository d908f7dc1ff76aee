/** What the compiler says of values, for many types at once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configure, errorsIn } from "../strangers/compile.ts";

/** A value, and the type of a client that it may have. */
export interface Assigned {
  /** The folder of the client. */
  readonly client: string;
  readonly type: string;
  readonly value: unknown;
}

/** Those of the values that do not have their type, and the errors of the clients themselves. */
export interface Assignments {
  readonly refused: ReadonlySet<Assigned>;
  readonly errors: readonly string[];
}

/** Compiles all clients of a folder, and a program that compares each value with its type, once. */
export function assign(folder: string, values: readonly Assigned[]): Assignments {
  const clients = [...new Set(values.map(({ client }) => client))];
  const head = [
    // A value is a type of its own here, so that members which no type declares are accepted as they are over the wire.
    "declare function is<T, V extends T>(): V;",
    ...clients.map((client) => `import type * as ${client} from "./${client}/schema.ts";`),
  ];
  const lines = values.map(({ client, type, value }) => `is<${client}.${type}, ${JSON.stringify(value)}>();`);
  writeFileSync(join(folder, "values.ts"), [...head, ...lines, ""].join("\n"));
  configure(folder, { files: ["values.ts"] });
  const refused = new Set<Assigned>();
  const errors: string[] = [];
  for (const error of errorsIn(folder)) {
    const line = /^values\.ts\((\d+),/.exec(error)?.[1];
    const value = values[Number(line) - 1 - head.length];
    if (value === undefined) errors.push(error);
    else refused.add(value);
  }
  return { refused, errors };
}
