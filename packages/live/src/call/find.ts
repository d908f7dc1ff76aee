import { readDocument, type Document, type Operation } from "@trainyard/document";
import { contractOf, UsageError, type Contract } from "../contract.ts";
import { didYouMean } from "../text.ts";

/** An operation and its service. */
export interface Found {
  readonly contract: Contract;
  readonly document: Document;
  readonly operation: Operation;
}

/** The operations of all documents, or of one. An operation that repeats another is named by its operationId. */
export function allOperations(contracts: readonly Contract[], service: string | undefined): Found[] {
  const chosen = service === undefined ? contracts : [contractOf(contracts, service)];
  return chosen.flatMap((contract) => {
    const document = readDocument(contract.bundle());
    return document.operations.map((operation) => ({ contract, document, operation }));
  });
}

/** Whether several services have an operation of the same name. */
export function isAmbiguous(contracts: readonly Contract[], { operation }: Found): boolean {
  const all = allOperations(contracts, undefined);
  return all.filter((one) => callName(one.operation) === callName(operation)).length > 1;
}

/** The parameters of a path, in order. */
export function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
}

/** The name to call an operation by: its method, or the operationId of one that repeats another. */
export function callName({ aliasOf, id, name }: Operation): string {
  return aliasOf === undefined ? name : id;
}

/**
 * Finds an operation by its name or operationId.
 * @throws {@link UsageError} if no operation has the name, or several have it
 */
export function findOperation(contracts: readonly Contract[], service: string | undefined, name: string): Found {
  const all = allOperations(contracts, service);
  const found = all.filter(({ operation }) => callName(operation) === name || operation.id === name);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const services = found.map(({ contract }) => `--service ${contract.name}`);
    throw new UsageError(`${found.length} services have ${name}. Choose one with --service: ${services.join(" or ")}.`);
  }
  const names = all.map(({ operation }) => callName(operation));
  throw new UsageError(`There is no operation ${name}.${didYouMean(name, names) ?? " `trainyard call` lists them."}`);
}
