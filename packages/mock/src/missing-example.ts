import { isObject } from "@trainyard/core/validation";
import { jsonOf, responseOf, type Operation } from "@trainyard/document";
import { messageOf, type Call } from "@trainyard/host";

/**
 * Chooses the 404 of a request that names what the document shows as missing: an example such as "Model demo/gigantic not
 * found." quotes a name, so a request for `demo/gigantic` gets that example. All other names exist. A request reaches the error
 * by what it asks for, because most libraries cannot send `Prefer`.
 *
 * Names are looked for in the path, in the query and in the texts at the top of the body.
 *
 * @returns the name of the example; undefined where the request names nothing that is missing
 */
export function missingExample({ operation, path, query, body }: Call): string | undefined {
  const shown = [...(errorsOf(operation) ?? [])];
  if (shown.length === 0) return undefined;
  const asked = new Set([...Object.values(path), ...textsOf(query), ...textsOf(body)]);
  return shown.find(([, error]) => namesIn(error).some((name) => isOf(name, asked) && !isKnown(operation, name)))?.[0];
}

const errorsOf = (operation: Operation) => jsonOf(responseOf(operation, 404)?.content ?? new Map())?.examples;

/** The texts of an object, without those below them: a conversation or a trajectory names nothing. */
function textsOf(value: unknown): string[] {
  return isObject(value) ? Object.values(value).filter((member) => typeof member === "string") : [];
}

/** What the message of an error quotes: all that is not a plain word, without the punctuation around it. */
function namesIn(error: unknown): string[] {
  const words = (messageOf(error) ?? "").split(/\s+/).map((word) => word.replace(/^["'`(]+|["'`).,:;!?]+$/g, ""));
  return words.filter((word) => /[^a-z]/i.test(word));
}

/** Whether a name is among texts, whole or in parts: `prompt:v7` names the object `prompt` and the version `v7`. */
function isOf(name: string, texts: ReadonlySet<string>): boolean {
  return texts.has(name) || name.split(":").every((part) => texts.has(part));
}

/** Whether a request that succeeds has the name: an error may quote it beside what is missing. */
function isKnown({ parameters, body }: Operation, name: string): boolean {
  const requests = body ? (jsonOf(body.content)?.examples.values() ?? []) : [];
  const ofParameters = parameters.map(({ example }) => String(example));
  return [{}, ...requests].some((request) => isOf(name, new Set([...ofParameters, ...textsOf(request)])));
}
