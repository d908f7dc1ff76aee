import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readReleases, type Release } from "@trainyard/contract";
import { describeCondition, dialect, resends } from "@trainyard/document";
import { sampleFacts } from "../page/build/samples.ts";
import { cache, root, samples } from "../places.ts";
import { operationAddress } from "../reference/addresses.ts";
import { readBasis, type BasisFact } from "../reference/basis.ts";
import { exportId, packageEntries } from "../reference/exports.ts";
import { optionLists } from "../reference/option-lists.ts";
import type { Service } from "../reference/services.ts";
import { drawReference } from "./drawn.ts";
import { workedGroup, type Measured } from "./group.ts";
import { eventFactsOf } from "./job-facts.ts";

/**
 * Writes what the pages of the site import from `.cache`: the references, the facts that the guides use, and which
 * samples run in a page. A file whose content stays the same is not touched, because `pnpm dev` reloads what imports it.
 */
export async function writeFacts(services: readonly Service[]): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const write = (name: string, content: object): void => {
    const [file, text] = [join(cache, name), JSON.stringify(content)];
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  };
  const references = services.map((service) => drawReference(service, services));
  write("references.json", references);
  write("samples.json", Object.fromEntries(sampleFacts()));
  const measured: Measured = JSON.parse(readFileSync(join(samples, "programs/learning/runs.json"), "utf8"));
  write("site.json", factsOf(services, await readBasis(services), readReleases(root), measured));
}

function factsOf(
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
