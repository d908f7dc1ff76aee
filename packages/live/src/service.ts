import { variableName } from "@trainyard/core/variable-name";
import type { Document } from "@trainyard/document";

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

/** The settings of a service in the environment: `TRAINYARD_TRAINING_URL`, `TRAINYARD_API_KEY`. */
export function fromEnvironment(
  name: string,
  document: Document,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly baseUrl: string | undefined; readonly credentials: Readonly<Record<string, string>> } {
  const set = (variable: string): string | undefined => environment[variable]?.trim() || undefined;
  const schemes = new Set(document.operations.flatMap(({ security }) => security.flat()).map((scheme) => scheme.name));
  const key = set("TRAINYARD_API_KEY");
  const credentials = [...schemes].flatMap((scheme): [string, string][] => {
    const value = set(variableName(scheme)) ?? key;
    return value === undefined ? [] : [[scheme, value]];
  });
  return { baseUrl: set(variableName(`${name}_url`)), credentials: Object.fromEntries(credentials) };
}
