import { readDocument, type Document } from "@trainyard/document";
import { nearestName } from "./nearest.ts";
import { fromEnvironment, type LiveService } from "./service.ts";

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
 * The addresses of the services: `--base-url`, then `TRAINYARD_<SERVICE>_URL`, then the first server of the document.
 */
export function serviceAt(
  contract: Contract,
  addresses: readonly string[],
  isAlone: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): LiveService {
  const strange = addresses.find((one) => !/^([a-z][\w-]*=)?https?:/i.test(one));
  if (strange !== undefined)
    throw new UsageError(`--base-url must be an address such as http://127.0.0.1:4010, not ${strange}.`);
  const document = readDocument(contract.bundle());
  const { baseUrl, credentials } = fromEnvironment(contract.name, document, environment);
  const named = addresses.find((one) => one.startsWith(`${contract.name}=`))?.slice(contract.name.length + 1);
  const plain = addresses.find((one) => /^https?:/i.test(one));
  // One address for several services is a server that has them all, each at its own path.
  const root = plain === undefined || isAlone ? plain : plain.replace(/\/$/, "") + document.prefix;
  const address = named ?? root ?? baseUrl ?? document.address;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new UsageError(
      `"${address}" is not a valid address of ${contract.name}. Use one such as http://127.0.0.1:4010.`,
    );
  return { name: contract.name, document, baseUrl: withoutRepeat(address, document), credentials, file: contract.file };
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
  const near = nearestName(name, names);
  throw new UsageError(
    `There is no service ${name}.${near === undefined ? ` There are: ${names.join(", ")}.` : ` Did you mean ${near}?`}`,
  );
}
