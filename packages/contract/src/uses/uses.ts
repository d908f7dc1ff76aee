import { existsSync, readFileSync } from "node:fs";
import { Failure } from "../failure.ts";
import { isObject } from "@trainyard/core/validation";

/** Locations in a program by what is used there: `{"Model.id": ["src/train.ts:11"]}`. Files are relative to the folder of the command. */
export type Locations = Readonly<Record<string, readonly string[]>>;

export type Kind = "operations" | "sent" | "read" | "types";

/** What a program uses of one service: operations, written and read fields (`Trajectory.reward`), and named types. */
export interface ServiceUses extends Readonly<Record<Kind, Locations>> {
  /** `contractVersion` of the client that the program compiles against. */
  contractVersion?: string;
}

/** What a program uses of all services: the content of `uses.json`. */
export interface Uses {
  /** The version of this format. */
  readonly version: 1;
  readonly services: Readonly<Record<string, ServiceUses>>;
}

/** The uses of a program, and the file that lists them. */
export interface Consumer extends Pick<Uses, "services"> {
  readonly file: string;
}

/** One use, such as the operation `models.create` at a location. */
export type Use = readonly [service: string, kind: Kind, name: string, file: string, line: number];

/** Lists uses, each once and sorted, so that the file changes only if the program does. */
export function usesFrom(found: readonly Use[], versionOf: (service: string) => string | undefined): Uses {
  const services: Record<string, { contractVersion?: string } & Record<Kind, Record<string, string[]>>> = {};
  for (const [service, kind, name, file, line] of found.toSorted(inOrder)) {
    const contractVersion = versionOf(service);
    const version = contractVersion === undefined ? {} : { contractVersion };
    const uses = (services[service] ??= { ...version, operations: {}, sent: {}, read: {}, types: {} });
    const locations = (uses[kind][name] ??= []);
    if (locations.at(-1) !== `${file}:${line}`) locations.push(`${file}:${line}`);
  }
  return { version: 1, services };
}

function inOrder(a: Use, b: Use): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

/** @throws {@link Failure} if the file is missing or is not a list of uses. */
export function readUses(file: string): Consumer {
  const cure = "Make it with: npx trainyard uses --out uses.json";
  if (!existsSync(file)) throw new Failure(`The file ${file} does not exist. ${cure}`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value) || value["version"] !== 1 || !isObject(value["services"]))
    throw new Failure(`${file} is not a list of uses. ${cure}`);
  const services = Object.entries(value["services"]).map(([service, uses]): [string, ServiceUses] => {
    const of = (kind: Kind): Locations => {
      const all = Object.entries(isObject(uses) && isObject(uses[kind]) ? uses[kind] : {});
      for (const [name, locations] of all)
        if (!Array.isArray(locations) || locations.some((one) => typeof one !== "string"))
          throw new Failure(`${file}: ${service}.${kind}.${name} is not a list of locations. Generate the file again.`);
      return Object.fromEntries(all) as Locations;
    };
    return [service, { operations: of("operations"), sent: of("sent"), read: of("read"), types: of("types") }];
  });
  return { file, services: Object.fromEntries(services) };
}
