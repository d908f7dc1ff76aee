/** The reference of a service as pages: an overview, one for each operation, one for each named schema. */
import { operationAddress, schemaAddress, schemasAddress, serviceAddress } from "./addresses.ts";
import { operationPage } from "./operation-page.ts";
import { overviewPage, schemasPage, tagGroups } from "./overview-page.ts";
import type { ReferencePage } from "./page.ts";
import { schemaPage } from "./schema-page.ts";
import type { Service } from "./services.ts";

/** The pages of a service by address, each created when it is requested. */
export function pagesOf(service: Service): ReadonlyMap<string, () => ReferencePage> {
  const { operations, schemas } = service.document;
  return new Map([
    [serviceAddress(service), () => overviewPage(service)],
    ...operations
      .filter(({ aliasOf }) => aliasOf === undefined)
      .map((operation): [string, () => ReferencePage] => [
        operationAddress(service, operation),
        () => operationPage(service, operation),
      ]),
    [schemasAddress(service), () => schemasPage(service)],
    ...[...schemas].map(([name, place]): [string, () => ReferencePage] => [
      schemaAddress(service, name),
      () => schemaPage(service, name, place),
    ]),
  ]);
}

/** The operations of a service as a list of links, by tag. */
export function linksOf(service: Service) {
  return tagGroups(service).map(({ title, operations }) => ({
    title,
    links: operations.map((operation) => ({
      label: operation.summary,
      address: operationAddress(service, operation),
      // In upper case.
      verb: operation.method,
    })),
  }));
}
