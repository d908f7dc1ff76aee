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
/** One use, such as the operation `models.create` at a location. */
export type Use = readonly [service: string, kind: Kind, name: string, file: string, line: number];

/** Writes uses, each once and sorted, so that the file changes only if the program does. */
export function usesFrom(found: readonly Use[], versionOf: (service: string) => string | undefined): Uses {
  const services: Uses["services"] = {};
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
