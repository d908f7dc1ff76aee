import { inBrowser, variable } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { bearer, type Carrier } from "./carrier.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, Secret } from "./options.ts";

// An empty string is what an unset variable becomes on its way here.
const isSecret = (value: unknown): value is Secret | null =>
  value === null || typeof value === "function" || (typeof value === "string" && value !== "");

const environmentName = (option: string): string => `TRAINYARD_${option.replace(/[A-Z]/g, "_$&").toUpperCase()}`;

/** A credential of a client, and how it travels. */
export interface Credential extends Carrier {
  readonly secret: Secret;
}

/** A credential as one attempt sends it. */
export interface Key extends Carrier {
  readonly key: string;
  readonly value: string;
}

/**
 * The credentials of a client by the operation that they are for.
 * @throws {@link ConfigurationError} where one is missing, or is not allowed in a browser.
 */
export function credentialsOf(service: Service, options: ClientOptions): Map<Operation, readonly Credential[]> {
  const find = (option: string): Secret | null | undefined => {
    const value: unknown = Reflect.get(options, option);
    return isSecret(value) ? value : variable(environmentName(option));
  };
  const credentials = new Map<Operation, readonly Credential[]>();
  for (const operation of Object.values(service.operations)) {
    let missing: string | undefined;
    const set = operation.security
      ?.map((schemes) =>
        schemes.map((scheme) => {
          const carrier = service.schemes?.[scheme] ?? bearer;
          // In one and the same header, the API key does for every other.
          const other = carrier.header === bearer.header ? "apiKey" : scheme;
          const own = find(scheme);
          const secret = own === undefined ? find(other) : own;
          if (secret === undefined) missing ??= other;
          return { ...carrier, secret };
        }),
      )
      .find((all) => all.every(({ secret }) => secret !== undefined));
    if (!set && missing)
      throw new ConfigurationError(
        `The ${service.name} client needs a key: pass ${missing}, or set ${environmentName(missing)}.`,
      );
    const sent = set?.filter((one): one is Credential => !!one.secret) ?? [];
    if (sent[0] && inBrowser() && !options.allowKeyInBrowser)
      throw new ConfigurationError(`The ${service.name} client needs allowKeyInBrowser: its key can be read here.`);
    credentials.set(operation, sent);
  }
  return credentials;
}

/**
 * Asks for a secret.
 * @throws {@link ConfigurationError} where its function fails, with what that threw as cause; and where it is none that a
 *   header can carry. No message shows it.
 */
export async function askSecret(secret: Secret, facts: CallFacts): Promise<string> {
  let value: unknown = secret;
  try {
    if (typeof secret === "function") value = await secret();
  } catch (cause) {
    throw new ConfigurationError("the function for the key failed.", facts, { cause });
  }
  // A line break at the end is what reading a key from a file leaves.
  const key = typeof value === "string" ? value.trim() : "";
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ConfigurationError("the key is empty, or has a character that no header can carry.", facts);
  return key;
}

/** Takes keys, and what was sent of them, out of a text that may repeat it. */
export function redact(text: string, keys: readonly Key[]): string {
  for (const { key, value } of keys)
    // Of `user:password` and of `Basic …`, each part too. What is shorter is no key, and would tear words apart.
    for (const part of [key, ...key.split(":"), ...value.split(" ")])
      if (part.length > 7) text = text.replaceAll(part, "[key]");
  return text;
}
