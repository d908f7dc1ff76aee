import { cureFor, inBrowser, variable } from "./environment.ts";
import { ConfigurationError } from "./errors/failures.ts";
import type { CallFacts } from "./errors/trainyard-error.ts";
import { bearer, type Carrier } from "./carrier.ts";
import type { Answer } from "./answer.ts";
import type { Operation, Service } from "./operation.ts";
import type { ClientOptions, Secret } from "./options.ts";

/** A credential of a client, and how to send it. */
export interface Credential extends Carrier {
  readonly secret: Secret;
}

/** A credential as sent by one attempt. */
export interface Key extends Carrier {
  readonly key: string;
  readonly value: string;
}

type Rule = NonNullable<Operation["security"]>;

/**
 * The credentials of a client, by operation, which are looked up when an operation is called.
 * @throws {@link ConfigurationError} if the client has none, and may not be without; if it has one, which is not allowed in a
 * browser; for a call, if the client has not what its operation needs.
 */
export function credentialsOf(
  service: Service,
  options: ClientOptions,
  operations: readonly Operation[],
): (operation: Operation, facts: CallFacts) => readonly Credential[] {
  const find = (option: string): Secret | null | undefined => {
    const value = Reflect.get(options, option);
    // An unset variable often arrives as an empty string.
    return value === null ? value : value || variable(service, option);
  };
  const isShared = ({ header }: Carrier = bearer): boolean => header === bearer.header;
  const read = (rule: Rule) => {
    let lacks = "";
    const set = rule
      .map((schemes) =>
        schemes.map((scheme) => {
          const carrier = service.schemes?.[scheme] ?? bearer;
          // In the same header, the API key can stand in for any other credential.
          const other = isShared(carrier) && isShared(service.schemes?.["apiKey"]) ? "apiKey" : scheme;
          let secret = find(scheme);
          if (secret === undefined) secret = find(other);
          if (secret === undefined) lacks ||= cureFor(service, other);
          return { ...carrier, secret };
        }),
      )
      .find((all) => all.every(({ secret }) => secret !== undefined));
    return { lacks: set ? "" : lacks, sent: (set ?? []).filter((one): one is Credential => !!one.secret) };
  };
  // Operations share their rules, of which a document has few.
  const rules = new Map<Rule, ReturnType<typeof read>>();
  const ruleOf = ({ security = service.security ?? [] }: Operation): ReturnType<typeof read> => {
    const known = rules.get(security) ?? read(security);
    rules.set(security, known);
    return known;
  };
  const sends = (): boolean => operations.some((one) => ruleOf(one).sent[0]);
  const lacking = service.needsKey && !sends() && operations.find((one) => ruleOf(one).lacks);
  if (lacking) throw new ConfigurationError(`The ${service.name} client needs a key: ${ruleOf(lacking).lacks}`);
  if (inBrowser() && !options.allowKeyInBrowser && sends())
    throw new ConfigurationError(`The ${service.name} client needs allowKeyInBrowser: everyone can read its key here.`);
  return (operation, facts) => {
    const { lacks, sent } = ruleOf(operation);
    if (lacks) throw new ConfigurationError(`needs a key: ${lacks}`, facts);
    return sent;
  };
}

/**
 * Gets the keys for an attempt.
 * @throws {@link ConfigurationError} if a function for a key fails, with its error as `cause`, and if a key is not valid in
 * a header. No message contains a key.
 */
export function keysOf(credentials: readonly Credential[], facts: CallFacts): Promise<Key[]> {
  return Promise.all(
    credentials.map(async ({ secret, ...carrier }) => {
      let value: unknown;
      try {
        value = typeof secret === "function" ? await secret() : secret;
      } catch (cause) {
        throw new ConfigurationError("the function for the key failed.", facts, { cause });
      }
      // A key read from a file often ends with a line break.
      const key = typeof value === "string" ? value.trim() : "";
      if (!/^[\x21-\x7e]+$/.test(key))
        throw new ConfigurationError("the key has to be one or more visible ASCII characters.", facts);
      return { ...carrier, key, value: carrier.write(key) };
    }),
  );
}

/** Removes keys, and the values sent for them, from a text that may repeat them. */
export function redact(text: string, keys: Answer["keys"]): string {
  for (const { key, value } of keys)
    // Also remove the parts of `user:password` and `Basic …`. Shorter parts are not secrets, and would match inside of
    // words.
    for (const part of [key, ...key.split(":"), ...value.split(" ")])
      if (part.length > 7) text = text.replaceAll(part, "[key]");
  return text;
}

/** The answer without keys, for an error or a caller who sees one: its body and its headers may repeat them. */
export function withoutKeys(answer: Answer): Answer {
  const { response, keys } = answer;
  const value = new Headers([...response.headers].map(([name, one]) => [name, redact(one, keys)]));
  Object.defineProperty(response, "headers", { value, configurable: true });
  return { ...answer, text: redact(answer.text, keys) };
}
