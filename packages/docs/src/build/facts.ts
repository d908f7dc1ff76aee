import type { Release } from "@trainyard/release/releases";
import { answersOf, countBasis, type BasisFact } from "../reference/basis.ts";
import { operationsOf, type Document, type Operation } from "../reference/document.ts";
import type { JsonObject } from "../reference/json.ts";
import type { Rendered } from "../reference/render.ts";

/** What the pages know of the documents. The build writes it to `.cache/site.json`, which the pages import. */
export interface SiteFacts {
  readonly services: readonly {
    readonly service: string;
    readonly title: string;
    readonly summary: string;
    readonly version: string;
    readonly operations: readonly Operation[];
    readonly rendered: Rendered | undefined;
    /** How many facts have which basis, and those that are not of the interface. */
    readonly counts: ReturnType<typeof countBasis>;
    readonly doubtful: readonly BasisFact[];
  }[];
  /** Newest first. */
  readonly releases: readonly Release[];
  /** The examples of feedback statistics, for the charts. */
  readonly statistics: Readonly<Record<string, JsonObject>>;
}

export function factsOf(
  documents: readonly Document[],
  rendered: readonly Rendered[],
  bases: ReadonlyMap<string, readonly BasisFact[]>,
  releases: readonly Release[],
): SiteFacts {
  const auxiliary = documents.find(({ service }) => service === "auxiliary");
  return {
    services: documents.map((document) => {
      const { service, title, summary, version } = document;
      const basis = bases.get(service) ?? [];
      return {
        service,
        title,
        summary,
        version,
        operations: operationsOf(document),
        rendered: rendered.find((reference) => reference.service === service),
        counts: countBasis(basis),
        doubtful: basis.filter((fact) => fact.basis !== "interface"),
      };
    }),
    releases,
    statistics: auxiliary === undefined ? {} : answersOf(auxiliary.read(), "/feedback/stats", "post"),
  };
}
