/** The pages of the references, which the build writes for the step that puts them into the frame of the site. */
import type { StarlightUserConfig } from "@astrojs/starlight/types";
import type { ReferencePage } from "../reference/page.ts";
import { linksOf, pagesOf } from "../reference/pages.ts";
import { serviceAddress, schemasAddress } from "../reference/addresses.ts";
import type { Service } from "../reference/services.ts";

export interface DrawnReference {
  readonly sidebar: NonNullable<StarlightUserConfig["sidebar"]>;
  readonly pages: readonly ReferencePage[];
}

/** Creates all pages of a service. */
export function drawReference(service: Service, all: readonly Service[]): DrawnReference {
  return { sidebar: sidebarOf(service, all), pages: [...pagesOf(service).values()].map((draw) => draw()) };
}

function sidebarOf(service: Service, all: readonly Service[]): DrawnReference["sidebar"] {
  const overview = serviceAddress(service);
  return [
    { label: "Overview", link: overview },
    ...linksOf(service).map(({ title, links }) => ({
      label: title,
      items: links.map(({ label, address, verb }) => ({
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
