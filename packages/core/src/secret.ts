import { inBrowser, variable } from "./environment.ts";
import { variableName } from "./variable-name.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { bearer, type Carrier } from "./carrier.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, Secret } from "./options.ts";

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
    const value = Reflect.get(options, option);
    // An empty string is what an unset variable becomes on its way here.
    return value === null ? value : value || variable(variableName(option));
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
        `The ${service.name} client needs a key: pass ${missing}, or set ${variableName(missing)}.`,
      );
    const sent = set?.filter((one): one is Credential => !!one.secret) ?? [];
    if (sent[0] && inBrowser() && !options.allowKeyInBrowser)
      throw new ConfigurationError(`The ${service.name} client needs allowKeyInBrowser: its key can be read here.`);
    credentials.set(operation, sent);
  }
  return credentials;
}

/**
 * Asks for the keys of an attempt.
 * @throws {@link ConfigurationError} where a function for one fails, with what that threw as cause; and where one is none that
 *   a header can carry. No message shows it.
 */
export function keysOf(credentials: readonly Credential[], facts: CallFacts): Promise<Key[]> {
  return Promise.all(
    credentials.map(async ({ secret, ...carrier }) => {
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
      return { ...carrier, key, value: carrier.write(key) };
    }),
  );
}

/** Takes keys, and what was sent of them, out of a text that may repeat it. */
export function redact(text: string, keys: readonly Key[]): string {
  for (const { key, value } of keys)
    // Of `user:password` and of `Basic …`, each part too. What is shorter is no key, and would tear words apart.
    for (const part of [key, ...key.split(":"), ...value.split(" ")])
      if (part.length > 7) text = text.replaceAll(part, "[key]");
  return text;
}
