/** Locations in a program, as `file:line`, relative to the current folder of the command, with `/`. */
export type Locations = string[];

/** What a program uses of one service. */
export interface ServiceUses {
  /** `contractVersion` of the client that the program compiles against. */
  contractVersion?: string;
  /** Calls, by the operation's name: `models.create`. */
  operations: Record<string, Locations>;
  /** Fields that are written: `Trajectory.reward`, or `models.checkpoints.list query order`. */
  sent: Record<string, Locations>;
  /** Fields that are read: `Model.id`. */
  read: Record<string, Locations>;
  /** Types that are named: `Model`. */
  types: Record<string, Locations>;
}

/** What a program uses of all services: the content of `uses.json`. */
export interface Uses {
  /** The version of this format. */
  version: 1;
  /** By name: `training`. */
  services: Record<string, ServiceUses>;
}

export type Kind = "operations" | "sent" | "read" | "types";

/** Collects uses, each location once. */
export class Ledger {
  readonly #services: Map<string, ServiceUses> = new Map();

  service(name: string): ServiceUses {
    const found = this.#services.get(name) ?? { operations: {}, sent: {}, read: {}, types: {} };
    this.#services.set(name, found);
    return found;
  }

  add(service: string, kind: Kind, name: string, location: string): void {
    const all = this.service(service)[kind];
    const locations = all[name] ?? [];
    all[name] = locations;
    if (!locations.includes(location)) locations.push(location);
  }

  /** Sorts everything, so that the file changes only if the program does. */
  finish(): Uses {
    const services = [...this.#services]
      .filter(([, uses]) => Object.keys({ ...uses.operations, ...uses.sent, ...uses.read, ...uses.types }).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, uses]) => [name, sorted(uses)] as const);
    return { version: 1, services: Object.fromEntries(services) };
  }
}

function sorted({ operations, sent, read, types, ...rest }: ServiceUses): ServiceUses {
  const order = (all: Record<string, Locations>): Record<string, Locations> =>
    Object.fromEntries(
      Object.entries(all)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, locations]) => [name, locations.toSorted(byLocation)]),
    );
  return { ...rest, operations: order(operations), sent: order(sent), read: order(read), types: order(types) };
}

function byLocation(a: string, b: string): number {
  const [fileA = "", lineA] = a.split(":");
  const [fileB = "", lineB] = b.split(":");
  return fileA === fileB ? Number(lineA) - Number(lineB) : fileA < fileB ? -1 : 1;
}
