/** `models.checkpoints.list` becomes `ModelsCheckpointsList`. */
export function pascalCase(name: string): string {
  return splitWords(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `model_id` becomes `modelId`, `APIKeys` becomes `apiKeys`, and `LIST_KEYS` becomes `listKeys`. */
export function camelCase(name: string): string {
  const [first = "", ...rest] = splitWords(/[a-z]/.test(name) ? name : name.toLowerCase());
  return first.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase()) + pascalCase(rest.join(" "));
}

/** The words of ASCII letters and digits, without accents. */
function splitWords(name: string): string[] {
  const plain = /[^ -~]/.test(name) ? name.normalize("NFKD").replaceAll(/\p{Mark}/gu, "") : name;
  return plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

/** The words of a name, also where only a capital begins one: `get`, `DNS` and `records` of `get_DNSRecords`. */
export function wordsOf(name: string): string[] {
  return splitWords(name).flatMap((word) => word.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+(?:\d+[a-z]*)*|\d+/g) ?? []);
}

/**
 * The name of an environment variable: `PETS_ACCESS_TOKEN` for `PETS` and `accessToken`, `TRAINYARD_DATA_HOST` for
 * `TRAINYARD` and `data-host`.
 */
export function variableName(...parts: readonly string[]): string {
  const words = parts.join("_").replaceAll(/\W|(?<=[a-z\d])(?=[A-Z])/g, "_");
  return words.toUpperCase();
}

/** The form of each part of a method's name. */
export const methodPart: RegExp = /^[a-z][A-Za-z0-9]*$/;

/**
 * Names that objects already have, or that change their behavior: `await` calls `then`, `JSON.stringify` calls `toJSON`,
 * and `http` is the client's own member.
 */
export const forbiddenMethodParts: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ..."then catch finally http prototype toJSON".split(" "),
]);

/** Options of every client and of every call, beside `apiKey`. */
export const commonOptions: ReadonlySet<string> = new Set(
  (
    "baseUrl allowKeyInBrowser timeoutMs totalTimeoutMs maxRetries headers fetch fetchOptions middleware logger logLevel " +
    "validators validate identity signal extraBody extraQuery idempotencyKey idempotencyKeys accumulate query"
  ).split(" "),
);
