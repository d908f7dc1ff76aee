import { variableName } from "@trainyard/core/variable-name";
import type { Sent } from "./request.ts";

/** The placeholder for a key. */
export const masked = "[key]";

/** Removes credentials from a text, both plain and as they are sent. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (const form of [secret, encodeURIComponent(secret), btoa(`api:${secret}`), btoa(secret)])
      result = result.replaceAll(form, masked);
  }
  return result;
}

/**
 * The `curl` command that sends the same request. A key appears as its environment variable, never as its value.
 *
 * @param credentials by the name of their security scheme: `apiKey`
 */
export function curlOf(
  { method, url, headers, body }: Sent,
  credentials: Readonly<Record<string, string>> = {},
): string {
  const secrets = Object.fromEntries(
    // Basic authentication uses the API key as its password.
    Object.entries(credentials).map(([scheme, secret]) => [
      variableName(scheme === "basicKey" ? "apiKey" : scheme),
      secret,
    ]),
  );
  const parts = [`curl -X ${method} ${quote(withVariables(url, secrets))}`];
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quote(withVariables(`${name}: ${value}`, secrets))}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body, false)}`);
  return parts.join(" \\\n  ");
}

/** Marks a secret, so that quoting leaves its variable unquoted. */
function withVariables(text: string, secrets: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [variable, secret] of Object.entries(secrets)) {
    if (secret === "") continue;
    result = result.replaceAll(secret, `\ue000${variable}\ue000`).replaceAll(btoa(`api:${secret}`), masked);
  }
  return result;
}

/** Quotes a word for a shell, except for a marked variable. */
function quote(text: string, open = true): string {
  if (!open || !text.includes("\ue000")) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replaceAll(/["\\$`]/g, "\\$&").replaceAll(/\ue000([A-Z_]+)\ue000/g, "$$$1");
  return `"${escaped}"`;
}
