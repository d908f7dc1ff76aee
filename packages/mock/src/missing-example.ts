import { isObject } from "@trainyard/core/validation";
import { jsonOf, responseOf, type Operation } from "@trainyard/document";
import { messageOf, type Call } from "@trainyard/host";

/**
 * Selects the 404 for a request that contains a name which the document shows as missing. An example such as "Model
 * demo/gigantic not found." quotes a name, so a request for `demo/gigantic` gets that example. All other names exist. Names
 * are used because most libraries cannot send `Prefer`.
 *
 * Searches the path, the query, and the top-level strings of the body.
 *
 * @returns the name of the example; undefined if the request contains no missing name
 */
export function missingExample({ operation, path, query, body }: Call): string | undefined {
  const shown = [...(errorsOf(operation) ?? [])];
  if (shown.length === 0) return undefined;
  const given = new Set([...Object.values(path), ...textsOf(query), ...textsOf(body)]);
  return shown.find(([, error]) => namesIn(error).some((name) => isOf(name, given) && !isKnown(operation, name)))?.[0];
}

const errorsOf = (operation: Operation) => jsonOf(responseOf(operation, 404)?.content ?? new Map())?.examples;

/** The top-level strings of an object. Nested ones, such as those of a conversation or trajectory, contain no names. */
function textsOf(value: unknown): string[] {
  return isObject(value) ? Object.values(value).filter((member) => typeof member === "string") : [];
}

/** The names that an error's message quotes: every word that is not purely letters, without the punctuation around it. */
function namesIn(error: unknown): string[] {
  const words = (messageOf(error) ?? "").split(/\s+/).map((word) => word.replace(/^["'`(]+|["'`).,:;!?]+$/g, ""));
  return words.filter((word) => /[^a-z]/i.test(word));
}

/** Whether a name is among texts, whole or in parts: `prompt:v7` names the object `prompt` and the version `v7`. */
function isOf(name: string, texts: ReadonlySet<string>): boolean {
  return texts.has(name) || name.split(":").every((part) => texts.has(part));
}

/** Whether a valid request contains the name: an error may quote it beside the missing one. */
function isKnown({ parameters, body }: Operation, name: string): boolean {
  const requests = body ? (jsonOf(body.content)?.examples.values() ?? []) : [];
  const ofParameters = parameters.map(({ example }) => String(example));
  return [{}, ...requests].some((request) => isOf(name, new Set([...ofParameters, ...textsOf(request)])));
}
