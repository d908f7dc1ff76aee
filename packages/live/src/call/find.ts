import { readDocument, type Document, type Operation } from "@trainyard/document";
import { contractOf, UsageError, type Contract } from "../contract.ts";
import { nearestName } from "../nearest.ts";

/** An operation, and whose it is. */
export interface Found {
  readonly contract: Contract;
  readonly document: Document;
  readonly operation: Operation;
}

/** Documents by their bundles: a help asks for all operations twice. */
const documents = new WeakMap<object, Document>();

function documentOf(bundle: object): Document {
  const document = documents.get(bundle) ?? readDocument(bundle);
  documents.set(bundle, document);
  return document;
}

/** The operations of all documents, or of one. Those that repeat another are called by their operationId. */
export function allOperations(contracts: readonly Contract[], service: string | undefined): Found[] {
  const chosen = service === undefined ? contracts : [contractOf(contracts, service)];
  return chosen.flatMap((contract) => {
    const document = documentOf(contract.bundle());
    return document.operations.map((operation) => ({ contract, document, operation }));
  });
}

/** What an operation is called by: its method's name, or the operationId of one that repeats another. */
export function callName({ aliasOf, id, name }: Operation): string {
  return aliasOf === undefined ? name : id;
}

/**
 * Finds an operation by its name or operationId.
 * @throws {@link UsageError} where there is none, or several of that name
 */
export function findOperation(contracts: readonly Contract[], service: string | undefined, name: string): Found {
  const all = allOperations(contracts, service);
  const found = all.filter(({ operation }) => callName(operation) === name || operation.id === name);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const services = found.map(({ contract }) => `--service ${contract.name}`);
    throw new UsageError(`${found.length} services have ${name}. Say which: ${services.join(" or ")}.`);
  }
  const near = nearestName(
    name,
    all.map(({ operation }) => callName(operation)),
  );
  const hint = near === undefined ? " `trainyard call` lists them." : ` Did you mean ${near}?`;
  throw new UsageError(`There is no operation ${name}.${hint}`);
}
