import { existsSync, readFileSync } from "node:fs";
import { Failure } from "./failure.ts";
import { isObject } from "./json.ts";

/** Locations by the used element: `{"Model.id": ["src/train.ts:11"]}`. */
export type Locations = ReadonlyMap<string, readonly string[]>;

/** The uses of one service in a program, as `trainyard uses` writes them. */
export type ServiceUses = Readonly<Record<"operations" | "sent" | "read" | "types", Locations>>;

/** The uses of a program, by service. */
export interface Uses {
  /** The file with the list. */
  readonly file: string;
  readonly services: ReadonlyMap<string, ServiceUses>;
}

/** @throws {@link Failure} if the file is missing or is not a list of uses. */
export function readUses(file: string): Uses {
  const cure = "Make it with: npx trainyard uses --out uses.json";
  if (!existsSync(file)) throw new Failure(`The file ${file} does not exist. ${cure}`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const services = isObject(value) && value["version"] === 1 ? value["services"] : undefined;
  if (!isObject(services)) {
    throw new Failure(`${file} is not a list of uses. ${cure}`);
  }
  const entries = Object.entries(services).map(([name, uses]): [string, ServiceUses] => {
    const locations = (kind: string): Locations =>
      toLocations(isObject(uses) ? uses[kind] : undefined, `${file}: ${name}.${kind}`);
    const [operations, sent] = [locations("operations"), locations("sent")];
    return [name, { operations, sent, read: locations("read"), types: locations("types") }];
  });
  return { file, services: new Map(entries) };
}

function toLocations(value: unknown, where: string): Locations {
  const all = Object.entries(isObject(value) ? value : {});
  return new Map(
    all.map(([name, locations]) => {
      if (!Array.isArray(locations))
        throw new Failure(`${where}.${name} is not a list of locations. Generate the file again.`);
      return [name, locations.filter((location) => typeof location === "string")];
    }),
  );
}
