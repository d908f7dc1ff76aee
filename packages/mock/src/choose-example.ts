import { isObject } from "@trainyard/core/validation";
import type { Call } from "@trainyard/host";
import { jsonOf, mediaFor, responseOf, type Operation } from "@trainyard/document";

/**
 * Selects the example that fits a request best. In a document, the example of a request and the example of its response
 * have the same name, so the most similar request example selects the response. No property names are hard-coded.
 *
 * Requests are compared by their lists and objects, and by values that are not free text. What the first, plainest example
 * also has is not counted. Without a body, the example with the `id` that is in the path is selected.
 *
 * @returns the name of the example; undefined if none is more similar than the first
 */
export function chooseExample(
  operation: Operation,
  mediaType: string | undefined,
  { path, body }: Pick<Call, "path" | "body">,
): string | undefined {
  const requests = [...(operation.body ? (jsonOf(operation.body.content)?.examples ?? []) : [])];
  const content = responseOf(operation, 200)?.content;
  const answers = mediaType === undefined ? content && jsonOf(content) : content && mediaFor(content, mediaType);
  const [first] = requests;
  // A request without a body names what it wants in its path.
  const names = operation.body ? [] : Object.values(path);
  const named = [...(answers?.examples ?? [])].find(([, value]) => names.includes(String(Object(value)["id"])));
  if (named !== undefined) return named[0];
  if (first === undefined || answers === undefined || !isObject(body)) return undefined;
  const plain = traitsOf(first[1]);
  const wanted = traitsOf(body);
  let best: { name: string; score: number } | undefined;
  for (const [name, request] of requests) {
    if (!answers.examples.has(name)) continue;
    const traits = [...traitsOf(request)].filter((trait) => !plain.has(trait));
    const shared = traits.filter((trait) => wanted.has(trait)).length;
    // Traits that request and example share count more than those that only the example has.
    const score = 2 * shared - (traits.length - shared);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}

/** Strings that select something, such as `tool` and `json_schema`, are short words; all others are text or names. */
const choosing = /^[a-z]+(?:_[a-z]+)*$/;
/** These contain the caller's own schemas and values, which select nothing. */
const opaque = new Set(["parameters", "schema", "arguments", "content"]);

/**
 * The traits of a request: `n=2`, `messages[].role=tool`, `response_format.type=json_schema`, and lists and objects by
 * name.
 */
function traitsOf(value: unknown, path = "", traits: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) traitsOf(item, `${path}[]`, traits);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member === null || member === undefined || opaque.has(key)) continue;
      const location = path === "" ? key : `${path}.${key}`;
      if (typeof member === "object") traits.add(location);
      traitsOf(member, location, traits);
    }
  } else if (typeof value !== "string" || choosing.test(value)) traits.add(`${path}=${String(value)}`);
  return traits;
}
