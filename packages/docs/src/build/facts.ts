import type { Release } from "@trainyard/release/releases";
import { jsonOf, responseOf, type Basis, type Resend } from "@trainyard/document";
import { operationAddress } from "../reference/addresses.ts";
import { countBasis, type BasisFact } from "../reference/basis.ts";
import type { Service } from "../reference/services.ts";

/** What the guides know of the documents. The build writes it to `.cache/site.json`, which they import. */
export interface SiteFacts {
  readonly services: readonly {
    readonly service: string;
    readonly title: string;
    readonly summary: string;
    readonly version: string;
    readonly operations: readonly OperationFacts[];
    /** How many facts have which basis, and those that are not of the interface. */
    readonly counts: ReturnType<typeof countBasis>;
    readonly doubtful: readonly BasisFact[];
  }[];
  /** Newest first. */
  readonly releases: readonly Release[];
  /** The examples of feedback statistics, for the charts. */
  readonly statistics: Readonly<Record<string, unknown>>;
}

interface OperationFacts {
  readonly summary: string;
  /** The method of the client; undefined for an alias. */
  readonly method: string | undefined;
  readonly verb: string;
  readonly path: string;
  readonly basis: Basis | undefined;
  readonly address: string;
  readonly resend: Resend;
  /** Seconds that one attempt may take. */
  readonly timeout: number;
}

export function factsOf(
  services: readonly Service[],
  bases: ReadonlyMap<string, readonly BasisFact[]>,
  releases: readonly Release[],
): SiteFacts {
  return {
    services: services.map((service) => {
      const { title, summary, version } = service.document;
      const basis = bases.get(service.name) ?? [];
      return {
        service: service.name,
        title,
        summary,
        version,
        operations: operationsOf(service),
        counts: countBasis(basis),
        doubtful: basis.filter((fact) => fact.basis !== "interface"),
      };
    }),
    releases,
    statistics: answersOf(services, "feedback.stats"),
  };
}

function operationsOf(service: Service): OperationFacts[] {
  return service.document.operations.map((operation) => {
    const { summary, clientMethod, method, path, basis, resend, timeout } = operation;
    const address = operationAddress(service, operation);
    return { summary, method: clientMethod, verb: method, path, basis, address, resend, timeout };
  });
}

/** The named examples of what an operation answers, by name. */
function answersOf(services: readonly Service[], method: string): Record<string, unknown> {
  const operation = services
    .flatMap(({ document }) => document.operations)
    .find(({ clientMethod }) => clientMethod === method);
  const content = operation && responseOf(operation, 200)?.content;
  return Object.fromEntries((content && jsonOf(content))?.examples ?? []);
}
