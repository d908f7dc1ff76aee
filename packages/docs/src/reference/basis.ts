/** The sources of the facts of the documents, as `pnpm contract basis` lists them. */
import { facts, readDocuments, type Fact } from "@trainyard/contract";
import type { Basis } from "@trainyard/document";
import { root } from "../places.ts";
import { operationAddress, schemaAddress } from "./addresses.ts";
import type { Service } from "./services.ts";

export interface BasisFact {
  readonly basis: Basis;
  /** The operation or component that the fact belongs to. */
  readonly owner: string;
  /** The part of it; empty if the fact is about all of it. */
  readonly part: string;
  /** The fact in a sentence. */
  readonly sentence: string;
  /** The page of its owner in the reference, if it has one. */
  readonly href: string | undefined;
}

/** Lists the facts of all documents, by service. */
export async function readBasis(services: readonly Service[]): Promise<Map<string, BasisFact[]>> {
  const documents = await readDocuments(root);
  return new Map(
    services.map((service) => {
      const document = documents.get(service.name);
      return [service.name, document ? facts(root, document).map((fact) => factOf(fact, service)) : []];
    }),
  );
}

function factOf({ basis, subject, place, text }: Fact, service: Service): BasisFact {
  const { operations, schemas } = service.document;
  const [, schema, field = ""] = /^([A-Z]\w*)(?:\.(.*))?$/.exec(place) ?? [];
  const [owner = "", ...parts] = schema === undefined ? place.split(" › ") : [schema, field];
  const part = parts.filter((one) => one !== "").join(" › ");
  const found = operations.find(({ clientMethod, method, path }) => owner === (clientMethod ?? `${method} ${path}`));
  const operation = operations.find(({ id }) => id === found?.aliasOf) ?? found;
  const ofSchema = schemas.has(owner) ? schemaAddress(service, owner) : undefined;
  return {
    basis,
    owner: owner === "info" ? "the version of the document" : (operation?.clientMethod ?? owner),
    part,
    sentence: text ?? sentences[subject]?.(part) ?? `${part} is as the document says.`,
    href: operation === undefined ? ofSchema : operationAddress(service, operation),
  };
}

/** The sentence for each kind of fact; a rule has its own. */
const sentences: Readonly<Record<string, (part: string) => string>> = {
  document: () => "The version number of the document is our own.",
  operation: () => "The operation exists.",
  request: () => "The body of the request has this form.",
  response: (part) => `The response ${part} has this form.`,
  header: () => "The header exists.",
  parameter: (part) => `The parameter ${part} exists.`,
  property: (part) => `The property ${part} exists and has this meaning.`,
  schema: () => "The schema has this form.",
};
