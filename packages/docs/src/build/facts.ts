import type { Release } from "@trainyard/release/releases";
import { eventsOf, jsonOf, responseOf, type Basis, type Resend } from "@trainyard/document";
import { drawAll, workedGroup, type Measured, type WorkedGroup } from "../drawings/index.ts";
import { operationAddress } from "../reference/addresses.ts";
import { countBasis, type BasisFact } from "../reference/basis.ts";
import { exportId, packageEntries, type ExportedName } from "../reference/exports.ts";
import type { Service } from "../reference/services.ts";
import { eventFactsOf, jobFactsOf, type EventFacts } from "./job-facts.ts";

/** The facts of the documents that the guides use. The build writes them to `.cache/site.json`, which the guides import. */
export interface SiteFacts {
  readonly services: readonly {
    readonly service: string;
    readonly title: string;
    readonly summary: string;
    readonly version: string;
    readonly operations: readonly OperationFacts[];
    /** The number of facts with each basis, and the facts that are not of the interface. */
    readonly counts: ReturnType<typeof countBasis>;
    readonly doubtful: readonly BasisFact[];
  }[];
  /** Newest first. */
  readonly releases: readonly Release[];
  /** The examples of feedback statistics, for the charts. */
  readonly statistics: Readonly<Record<string, unknown>>;
  /** The kinds of events of a training job. */
  readonly events: readonly EventFacts[];
  /** The drawings, by name: SVG. */
  readonly drawings: Readonly<Record<string, string>>;
  /** The exports of the packages; `id` is the fragment on the page of packages. */
  readonly exports: readonly {
    readonly entry: string;
    readonly names: readonly (ExportedName & { readonly id: string })[];
  }[];
  /** The group that a page of the concepts uses as its example. */
  readonly group: WorkedGroup;
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
  measured: Measured,
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
    events: eventFactsOf(services),
    drawings: drawAll({ job: jobFactsOf(services), stream: streamOf(services), measured }),
    exports: packageEntries().map(({ entry, names }) => ({
      entry,
      names: names.map((one) => ({ ...one, id: exportId(entry, one.name) })),
    })),
    group: workedGroup(measured),
  };
}

function operationsOf(service: Service): OperationFacts[] {
  return service.document.operations.map((operation) => {
    const { summary, clientMethod, method, path, basis, resend, timeout } = operation;
    const address = operationAddress(service, operation);
    return { summary, method: clientMethod, verb: method, path, basis, address, resend, timeout };
  });
}

/** The named examples of an operation's responses, by name. */
function answersOf(services: readonly Service[], method: string): Record<string, unknown> {
  const operation = services
    .flatMap(({ document }) => document.operations)
    .find(({ clientMethod }) => clientMethod === method);
  const content = operation && responseOf(operation, 200)?.content;
  return Object.fromEntries((content && jsonOf(content))?.examples ?? []);
}

/** The first example of a stream. */
function streamOf(services: readonly Service[]): string {
  const operation = services
    .find(({ name }) => name === "inference")
    ?.document.operations.find(({ clientMethod }) => clientMethod === "chat.completions.create");
  const content = operation && responseOf(operation, 200)?.content;
  const [example] = (content && eventsOf(content)?.examples.values()) ?? [];
  if (typeof example !== "string")
    throw new Error("The inference service has no example of a stream. Add one to the response of its chat operation.");
  return example;
}
