import { serviceDocuments, type ServiceTypes } from "./generated/services.ts";
import type { ContractOf } from "./operation-types.ts";

/**
 * The services of this package, with the types of their operations. Other services are passed as documents; their types can
 * be added by augmentation.
 */
export interface Services extends Known {}

type Known = {
  [Name in keyof ServiceTypes]: ContractOf<
    ServiceTypes[Name]["table"],
    ServiceTypes[Name]["paths"],
    ServiceTypes[Name]["chunk"]
  >;
};

/** The name of a service of this package. */
export type ServiceName = Extract<keyof Services, string>;

/** The names of a service's operations: `models.create`. */
export type OperationName<Name extends ServiceName> = Extract<keyof Services[Name], string>;

const documents: Readonly<Record<string, () => unknown>> = serviceDocuments;

/** The names of the services that come with the package. */
export const serviceNames: readonly string[] = Object.keys(documents);

/**
 * The document of a service of this package.
 * @throws Error for any other name
 */
export function documentOf(name: string): object {
  const document = Object.hasOwn(documents, name) ? documents[name]?.() : undefined;
  if (typeof document === "object" && document !== null) return document;
  throw new Error(`There is no service "${name}". There are: ${serviceNames.join(", ")}; or pass a document.`);
}
