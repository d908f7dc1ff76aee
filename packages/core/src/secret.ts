import { inBrowser, variable } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import type { Service } from "./operation.ts";
import type { ClientOptions, Secret } from "./options.ts";

// An empty string is what an unset variable becomes on its way here.
const isSecret = (value: unknown): value is Secret | null =>
  value === null || typeof value === "function" || (typeof value === "string" && value !== "");

const environmentName = (option: string): string => `TRAINYARD_${option.replace(/[A-Z]/g, "_$&").toUpperCase()}`;

/**
 * The secrets of a client by the name of their security scheme; `null` where none is to be sent.
 * @throws {@link ConfigurationError} where one is missing, or is not allowed in a browser.
 */
export function secretsOf(service: Service, options: ClientOptions): ReadonlyMap<string, Secret | null> {
  const secrets = new Map<string, Secret | null>();
  const find = (option: string): Secret | null | undefined => {
    const value: unknown = Reflect.get(options, option);
    return isSecret(value) ? value : variable(environmentName(option));
  };
  for (const { security } of Object.values(service.operations)) {
    const scheme = security?.[0];
    if (!scheme || secrets.has(scheme)) continue;
    const own = find(scheme);
    const secret = own === undefined ? find("apiKey") : own;
    if (secret === undefined)
      throw new ConfigurationError(
        `The ${service.name} client needs a key: pass apiKey, or set ${environmentName("apiKey")}.`,
      );
    if (secret !== null && inBrowser() && !options.allowKeyInBrowser)
      throw new ConfigurationError(`The ${service.name} client needs allowKeyInBrowser: its key can be read here.`);
    secrets.set(scheme, secret);
  }
  return secrets;
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
    throw new ConfigurationError(`${facts.operation}: the function for the key failed.`, facts, { cause });
  }
  // A line break at the end is what reading a key from a file leaves.
  const key = typeof value === "string" ? value.trim() : "";
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ConfigurationError("The key is empty, or holds a character that no header can carry.", facts);
  return key;
}

/** Takes a key out of a text that may repeat it. */
export function redact(text: string, key: string | undefined): string {
  // What is shorter is no key, and would tear words apart.
  return key && key.length > 7 ? text.replaceAll(key, "[key]") : text;
}
