/** What is to go wrong with the next requests of an operation. */
export interface PlannedFault {
  /** `models.create`, `training models.create` where two services have one of the name, or `*` for all. */
  readonly operation: string;
  /** How often; once by default. */
  readonly times?: number;
  /** The status to answer with, without the operation being performed. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the answer. */
  readonly delayMs?: number;
  /** Breaks the connection in the middle of the answer. */
  readonly cut?: boolean;
}

/** The faults that tests have planned, in the order in which they are used. */
export class PlannedFaults {
  readonly #names: ReadonlySet<string>;
  #planned: { fault: PlannedFault; left: number }[] = [];

  /** @param operations as `models.create` and as `training models.create` */
  constructor(operations: Iterable<string>) {
    this.#names = new Set(["*", ...operations]);
  }

  /** Whether there is such an operation: a fault of another would never come. */
  knows({ operation }: PlannedFault): boolean {
    return this.#names.has(operation);
  }

  /** @throws Error where there is no such operation */
  plan(fault: PlannedFault): void {
    if (!this.knows(fault)) throw new Error(noOperation(fault.operation));
    this.#planned.push({ fault, left: fault.times ?? 1 });
  }

  take(service: string, operation: string): PlannedFault | undefined {
    const names = new Set(["*", operation, `${service} ${operation}`]);
    const found = this.#planned.find(({ fault }) => names.has(fault.operation));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.#planned = this.#planned.filter((planned) => planned !== found);
    return found.fault;
  }

  list(): PlannedFault[] {
    return this.#planned.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}

/** Says that there is no operation of that name. */
export function noOperation(name: string): string {
  return `There is no operation ${name}. Name one as \`models.create\` or \`training models.create\`, or all of them by \`*\`.`;
}
