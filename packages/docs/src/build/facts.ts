import { isObject } from "@trainyard/core/validation";
import type { Release } from "@trainyard/release/releases";
import { eventsOf, jsonOf, responseOf, type Basis, type Resend } from "@trainyard/document";
import { drawAll, workedGroup, type Measured, type Scores, type WorkedGroup } from "../drawings/index.ts";
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
    events: eventFactsOf(services),
    drawings: drawAll({ job: jobFactsOf(services), stream: streamOf(services), measured, scores: scoresOf(services) }),
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

/** The first example of a stream. */
function streamOf(services: readonly Service[]): string {
  const content = answerOf(services, "inference", "chat.completions.create");
  const [example] = (content && eventsOf(content)?.examples.values()) ?? [];
  if (typeof example !== "string")
    throw new Error("The inference service has no example of a stream. Add one to the response of its chat operation.");
  return example;
}

/** The example of feedback statistics with percentiles. */
export function scoresOf(services: readonly Service[]): Scores {
  const content = answerOf(services, "auxiliary", "feedback.stats");
  const example = content && jsonOf(content)?.examples.get("percentiles");
  if (!isObject(example)) throw new Error("Feedback statistics have no example `percentiles`.");
  // The tests compare each example with its schema.
  return example as unknown as Scores;
}

function answerOf(services: readonly Service[], service: string, method: string) {
  const { operations = [] } = services.find(({ name }) => name === service)?.document ?? {};
  const operation = operations.find(({ clientMethod }) => clientMethod === method);
  return operation && responseOf(operation, 200)?.content;
}
