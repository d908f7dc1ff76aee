import type { Release } from "@trainyard/contract";
import { describeCondition, dialect, resends } from "@trainyard/document";
import { operationAddress } from "../reference/addresses.ts";
import type { BasisFact } from "../reference/basis.ts";
import { exportId, packageEntries } from "../reference/exports.ts";
import { optionLists } from "../reference/option-lists.ts";
import type { Service } from "../reference/services.ts";
import { workedGroup, type Measured } from "./group.ts";
import { eventFactsOf } from "./job-facts.ts";

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
