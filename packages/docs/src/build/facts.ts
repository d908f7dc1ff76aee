import { isObject } from "@trainyard/core/validation";
import type { Release } from "@trainyard/contract";
import { describeCondition, dialect, eventsOf, jsonOf, resends, responseOf } from "@trainyard/document";
import { drawAll, workedGroup, type Measured, type Scores } from "../drawings/index.ts";
import { operationAddress } from "../reference/addresses.ts";
import type { BasisFact } from "../reference/basis.ts";
import { exportId, packageEntries } from "../reference/exports.ts";
import { optionLists } from "../reference/option-lists.ts";
import type { Service } from "../reference/services.ts";
import { eventFactsOf, jobFactsOf } from "./job-facts.ts";

/** The facts of the documents that the guides use. The build writes them to `.cache/site.json`, which the guides import. */
export function factsOf(
  services: readonly Service[],
  bases: ReadonlyMap<string, readonly BasisFact[]>,
  releases: readonly Release[],
  measured: Measured,
): object {
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
        // The facts that have a basis, and those that are not of the interface.
        count: basis.length,
        doubtful: basis.filter((fact) => fact.basis !== "interface"),
      };
    }),
    resends: resends.map((rule) => ({ rule, text: dialect.resend.describe({ rule }) })),
    // Newest first.
    releases,
    events: eventFactsOf(services),
    drawings: drawAll({ job: jobFactsOf(services), stream: streamOf(services), measured, scores: scoresOf(services) }),
    // `id` is the fragment on the page of packages.
    exports: packageEntries().map(({ entry, names }) => ({
      entry,
      names: names.map((one) => ({ ...one, id: exportId(entry, one.name) })),
    })),
    options: optionLists(),
    // The group that a page of the concepts uses as its example.
    group: workedGroup(measured),
  };
}

function operationsOf(service: Service) {
  const own = service.document.operations.filter(({ aliasOf }) => aliasOf === undefined);
  return own.map((operation) => {
    const { summary, clientMethod, method, path, basis, resend, alwaysIf, timeout } = operation;
    const condition = describeCondition(alwaysIf);
    const address = operationAddress(service, operation);
    return { summary, method: clientMethod, verb: method, path, basis, address, resend, condition, timeout };
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
