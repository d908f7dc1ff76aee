/** The pages of the references, which the build writes for the step that puts them into the frame of the site. */
import type { StarlightUserConfig } from "@astrojs/starlight/types";
import type { ReferencePage } from "../reference/page.ts";
import { linksOf, pagesOf } from "../reference/pages.ts";
import { serviceAddress, schemasAddress } from "../reference/addresses.ts";
import type { Service } from "../reference/services.ts";

/** A page, its HTML as text. */
export interface DrawnPage extends Omit<ReferencePage, "intro" | "request" | "rest"> {
  readonly intro: string;
  readonly request: string;
  readonly rest: string;
}

export interface DrawnReference {
  readonly sidebar: NonNullable<StarlightUserConfig["sidebar"]>;
  readonly pages: readonly DrawnPage[];
}

/** Creates all pages of a service. */
export function drawReference(service: Service, all: readonly Service[]): DrawnReference {
  return {
    sidebar: sidebarOf(service, all),
    pages: [...pagesOf(service).values()].map((draw) => {
      const page = draw();
      const request = page.request === false ? "" : page.request.text;
      return { ...page, intro: page.intro.text, request, rest: page.rest.text };
    }),
  };
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
