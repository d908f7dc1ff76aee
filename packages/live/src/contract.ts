import { parse } from "node:path";
import { UsageError } from "@trainyard/terminal/command";
import { didYouMean, readDocument, variableName, type Document, type Operation } from "@trainyard/document";
import { quoted } from "./request.ts";

/** A service at an address, and the document that describes it. */
export interface LiveService {
  readonly name: string;
  readonly document: Document;
  /** The address that the paths of the document are appended to, without a slash at the end. */
  readonly baseUrl: string;
  /** Credentials by the name of their security scheme: `apiKey`. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The environment variables of the address, `baseUrl`, and of the credentials. Default: none. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** A bundled document, as YAML or JSON, for the locations in findings. Default: none. */
  readonly file?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** A service that a command knows: its name, and how to read its bundle. */
export interface Contract {
  readonly name: string;
  readonly bundle: () => object;
  /** What the names of the variables with its keys begin with. Default: `TRAINYARD`, for our own services. */
  readonly keyPrefix?: string | undefined;
  readonly file?: string | undefined;
  /** The options that name its document on the command line. Default: none, for our own services. */
  readonly flags?: readonly string[] | undefined;
}

/**
 * The document in a file, of anybody, as a service named after the file.
 * @param allow what its `$ref`s may lead to: folders and addresses
 * @param err prints what is different from the file. Default: nothing
 * @throws DocumentError if it cannot be read
 */
export async function contractIn(
  file: string,
  allow: readonly string[],
  err?: (text: string) => void,
): Promise<Contract> {
  const { readFile } = await import("@trainyard/document/files");
  const read = await readFile(file, { allow });
  if (err !== undefined) for (const note of read.notes) err(`${note}\n`);
  const { name } = parse(file);
  const flags = [`--document ${quoted(file)}`, ...allow.map((place) => `--allow ${quoted(place)}`)];
  return { name, bundle: () => read.document, keyPrefix: variableName(ours, name), file, flags };
}

const ours = "TRAINYARD";

/** The variables with our own keys. The file `api.yaml` and the scheme `key` would have the name of one of them. */
const ourKeys = /^TRAINYARD_((API|BASIC|CONTROL|UPSTREAM)_KEY|ACCESS_TOKEN)$/;

const documents = new WeakMap<object, Document>();

/** Reads a bundle once: a large one takes half a second. */
function documentOf(bundle: object): Document {
  const document = documents.get(bundle) ?? readDocument(bundle);
  documents.set(bundle, document);
  return document;
}

/**
 * A service at its address, with its keys: `--base-url`, then `TRAINYARD_<SERVICE>_URL`, then the first server of the
 * document; `TRAINYARD_ACCESS_TOKEN` by the name of a security scheme, else `TRAINYARD_API_KEY`. For the document of somebody
 * else, both have the name of its file: `TRAINYARD_PETS_API_KEY`.
 */
export function serviceAt(
  { name, bundle, keyPrefix = ours, file }: Contract,
  addresses: readonly string[],
  isAlone: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): LiveService {
  const strange = addresses.find((one) => !/^([a-z][\w-]*=)?https?:/i.test(one));
  if (strange !== undefined)
    throw new UsageError(`The address of a service must be such as http://127.0.0.1:4010, not ${strange}.`);
  const document = documentOf(bundle());
  const set = (variable: string): string | undefined => environment[variable]?.trim() || undefined;
  const [addressVariable, apiKey] = [variableName(ours, name, "url"), variableName(keyPrefix, "apiKey")];
  const variables: Record<string, string> = { baseUrl: addressVariable, apiKey };
  const credentials: Record<string, string> = {};
  for (const scheme of document.operations.flatMap(({ security }) => security.flat())) {
    const own = variableName(keyPrefix, scheme.name);
    const isAllowed = own !== addressVariable && (keyPrefix === ours || !ourKeys.test(own));
    const variable = isAllowed && (set(own) !== undefined || set(apiKey) === undefined) ? own : apiKey;
    const value = set(variable);
    variables[scheme.name] = variable;
    if (value !== undefined) credentials[scheme.name] = value;
  }
  const named = addresses.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const plain = addresses.find((one) => /^https?:/i.test(one));
  // One address for several services is a server that has them all, each at its own path.
  const root = plain === undefined || isAlone ? plain : plain.replace(/\/$/, "") + document.prefix;
  const address = named ?? root ?? set(addressVariable) ?? document.address;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new UsageError(`"${address}" is not a valid address of ${name}. Use one such as http://127.0.0.1:4010.`);
  const baseUrl = withoutRepeat(address, document);
  return { name, document, baseUrl, credentials, variables, file };
}

/** Removes a slash at the end, and a first path segment that every path of the document contains. */
function withoutRepeat(address: string, { operations }: Document): string {
  const plain = address.replace(/\/+$/, "");
  const last = `/${plain.split("/").at(-1)}/`;
  const repeats = operations.length > 0 && operations.every(({ path }) => path.startsWith(last));
  return repeats ? plain.slice(0, -last.length + 1) : plain;
}

export function contractOf(contracts: readonly Contract[], name: string): Contract {
  const found = contracts.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = contracts.map((one) => one.name);
  throw new UsageError(`There is no service ${name}.${didYouMean(name, names) ?? ` There are: ${names.join(", ")}.`}`);
}

export interface Found {
  readonly contract: Contract;
  readonly document: Document;
  readonly operation: Operation;
}

/** The operations of all documents, or of one. An operation that repeats another is named by its operationId. */
export function allOperations(contracts: readonly Contract[], service: string | undefined): Found[] {
  const chosen = service === undefined ? contracts : [contractOf(contracts, service)];
  return chosen.flatMap((contract) => {
    const document = documentOf(contract.bundle());
    return document.operations.map((operation) => ({ contract, document, operation }));
  });
}

/** The options with which a command finds an operation: that of its service, if several have an operation of its name. */
export function flagsFor(contracts: readonly Contract[], { contract, operation: found }: Found): string[] {
  const { name, flags = [] } = contract;
  const alike = allOperations(contracts, undefined).filter(({ operation }) => callName(operation) === callName(found));
  return [...(alike.length > 1 ? [`--service ${name}`] : []), ...flags];
}

export function pathNames({ path }: Operation): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
}

/** The name to call an operation by: its method, or the operationId of one that repeats another. */
export function callName({ aliasOf, id, name }: Operation): string {
  return aliasOf === undefined ? name : id;
}

/** The one operation of a name or operationId, before which its service may stand: `training.models.log`. */
export function findOperation(contracts: readonly Contract[], service: string | undefined, name: string): Found {
  const all = allOperations(contracts, service);
  const namesOf = ({ contract, operation: one }: Found) => [one.id, callName(one), `${contract.name}.${callName(one)}`];
  const found = all.filter((one) => namesOf(one).includes(name));
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) {
    const services = found.map(({ contract }) => `trainyard call ${name} --service ${contract.name}`);
    throw new UsageError(`${found.length} services have ${name}. Name one: ${services.join(", or ")}`);
  }
  const list = ["trainyard call", ...(contracts[0]?.flags ?? [])].join(" ");
  const hint = didYouMean(name, all.flatMap(namesOf)) ?? ` \`${list}\` lists them.`;
  throw new UsageError(`There is no operation ${name}.${hint}`);
}
