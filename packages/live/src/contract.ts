import { variableName } from "@trainyard/core/variable-name";
import { readDocument, type Document } from "@trainyard/document";
import { didYouMean } from "./text.ts";

/** A service at an address, and the document that describes it. */
export interface LiveService {
  /** The name of the service: `training`. */
  readonly name: string;
  readonly document: Document;
  /** The address that the paths of the document are appended to, without a slash at the end. */
  readonly baseUrl: string;
  /** Credentials by the name of their security scheme: `apiKey`. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A bundled document, as YAML or JSON, for the locations in findings. Default: none. */
  readonly file?: string | undefined;
  /** Sends the requests; the runtime's `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
}

/** A service that a command knows: its name, and how to read its bundle. */
export interface Contract {
  readonly name: string;
  readonly bundle: () => object;
  /** The bundle as YAML or JSON, for the locations in messages. */
  readonly file?: string | undefined;
}

/** The command line is invalid. The message says what to type. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * A service at its address, with its keys: `--base-url`, then `TRAINYARD_<SERVICE>_URL`, then the first server of the
 * document; `TRAINYARD_ACCESS_TOKEN` by the name of a security scheme, else `TRAINYARD_API_KEY`.
 */
export function serviceAt(
  { name, bundle, file }: Contract,
  addresses: readonly string[],
  isAlone: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): LiveService {
  const strange = addresses.find((one) => !/^([a-z][\w-]*=)?https?:/i.test(one));
  if (strange !== undefined)
    throw new UsageError(`--base-url must be an address such as http://127.0.0.1:4010, not ${strange}.`);
  const document = readDocument(bundle());
  const set = (variable: string): string | undefined => environment[variable]?.trim() || undefined;
  const schemes = document.operations.flatMap(({ security }) => security.flat());
  const credentials = schemes.flatMap((scheme): [string, string][] => {
    const value = set(variableName(scheme.name)) ?? set("TRAINYARD_API_KEY");
    return value === undefined ? [] : [[scheme.name, value]];
  });
  const named = addresses.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const plain = addresses.find((one) => /^https?:/i.test(one));
  // One address for several services is a server that has them all, each at its own path.
  const root = plain === undefined || isAlone ? plain : plain.replace(/\/$/, "") + document.prefix;
  const address = named ?? root ?? set(variableName(`${name}_url`)) ?? document.address;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new UsageError(`"${address}" is not a valid address of ${name}. Use one such as http://127.0.0.1:4010.`);
  return {
    name,
    document,
    baseUrl: withoutRepeat(address, document),
    credentials: Object.fromEntries(credentials),
    file,
  };
}

/** Removes a slash at the end, and a first path segment that every path of the document contains. */
function withoutRepeat(address: string, { operations }: Document): string {
  const plain = address.replace(/\/+$/, "");
  const last = `/${plain.split("/").at(-1)}/`;
  const repeats = operations.length > 0 && operations.every(({ path }) => path.startsWith(last));
  return repeats ? plain.slice(0, -last.length + 1) : plain;
}

/** The contract with that name. */
export function contractOf(contracts: readonly Contract[], name: string): Contract {
  const found = contracts.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = contracts.map((one) => one.name);
  throw new UsageError(`There is no service ${name}.${didYouMean(name, names) ?? ` There are: ${names.join(", ")}.`}`);
}
