/** Addresses of the pages of the reference. They begin at the root of the site. */
import type { Operation } from "@trainyard/document";
import type { Service } from "./services.ts";

/** The overview of a service. */
export function serviceAddress({ name }: Pick<Service, "name">): string {
  return `/reference/${name}/`;
}

/** The page of an operation: `/reference/training/models.log/`. An alias has no page. */
export function operationAddress(service: Pick<Service, "name">, { clientMethod, id }: Operation): string {
  return `${serviceAddress(service)}${clientMethod ?? id}/`;
}

/** The list of the schemas of a service. */
export function schemasAddress(service: Pick<Service, "name">): string {
  return `${serviceAddress(service)}schemas/`;
}

/** The page of a named schema: `/reference/training/schemas/Trajectory/`. */
export function schemaAddress(service: Pick<Service, "name">, schema: string): string {
  return `${serviceAddress(service)}schemas/${schema}/`;
}

/** The Markdown twin of a page, by the page's address. */
export function twinAddress(address: string): string {
  return address === "/" ? "/index.md" : `${address.replace(/\/$/, "")}.md`;
}
