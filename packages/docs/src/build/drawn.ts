/** The pages of the references, which the build writes for the step that puts them into the frame of the site. */
import type { StarlightUserConfig } from "@astrojs/starlight/types";
import type { ReferencePage } from "../reference/page.ts";
import { linksOf, pagesOf } from "../reference/pages.ts";
import { serviceAddress, schemaAddress, schemasAddress } from "../reference/addresses.ts";
import type { CodeSample } from "../reference/samples.ts";
import type { Service } from "../reference/services.ts";

/** A page, its HTML as text. */
export interface DrawnPage extends Omit<ReferencePage, "intro" | "rest"> {
  readonly intro: string;
  readonly rest: string;
  readonly samples: readonly CodeSample[];
  /** The pages before and after it, if the list of pages does not contain the page. */
  readonly previous?: Neighbor | undefined;
  readonly next?: Neighbor | undefined;
}

interface Neighbor {
  readonly label: string;
  readonly link: string;
}

export interface DrawnReference {
  readonly sidebar: NonNullable<StarlightUserConfig["sidebar"]>;
  readonly pages: readonly DrawnPage[];
}

/** Creates all pages of a service. */
export function drawReference(service: Service, all: readonly Service[]): DrawnReference {
  const schemas = [...service.document.schemas.keys()];
  const neighbor = (index: number): Neighbor | undefined => {
    const name = schemas[index];
    return name === undefined ? undefined : { label: name, link: schemaAddress(service, name) };
  };
  return {
    sidebar: sidebarOf(service, all),
    pages: [...pagesOf(service).values()].map((draw) => {
      const page = draw();
      const text = { ...page, intro: page.intro.text, rest: page.rest.text };
      if (page.kind !== "schema") return text;
      const index = schemas.indexOf(page.heading);
      return { ...text, previous: neighbor(index - 1), next: neighbor(index + 1) };
    }),
  };
}

function sidebarOf(service: Service, all: readonly Service[]): DrawnReference["sidebar"] {
  const overview = serviceAddress(service);
  return [
    { label: "Overview", link: overview },
    ...linksOf(service).map(({ title, links }) => ({
      label: title,
      items: links.map(({ label, address, verb = "" }) => ({
        label,
        link: address,
        badge: { text: verb, class: `verb ${verb.toLowerCase()}` },
      })),
    })),
    { label: "Schemas", link: schemasAddress(service) },
    {
      label: "More",
      items: [
        { label: "Guides", link: "/guides/getting-started/" },
        ...all
          .filter((one) => one !== service)
          .map((one) => ({ label: one.document.title, link: serviceAddress(one) })),
        { label: "All operations", link: "/operations/" },
      ],
    },
  ];
}
