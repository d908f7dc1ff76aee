import { isObject } from "@trainyard/core/validation";
import { jsonOf, responseOf, type Operation } from "@trainyard/document";

/**
 * Chooses the example that answers a request best. A document gives the example of a request and the example of its answer the
 * same name, so the request example that is most like the request names the answer. No list of properties stands here.
 *
 * Requests are compared by the lists and objects that they have and by the values that are not free text. What the first,
 * plainest example has as well is not counted.
 *
 * @returns the name of the example; undefined where none is more like the request than the first one
 */
export function chooseExample(operation: Operation, mediaType: string | undefined, body: unknown): string | undefined {
  const requests = [...(operation.body ? (jsonOf(operation.body.content)?.examples ?? []) : [])];
  const content = responseOf(operation, 200)?.content;
  const answers = mediaType === undefined ? content && jsonOf(content) : content?.get(mediaType);
  const [first] = requests;
  if (first === undefined || answers === undefined || !isObject(body)) return undefined;
  const plain = traitsOf(first[1]);
  const asked = traitsOf(body);
  let best: { name: string; score: number } | undefined;
  for (const [name, request] of requests) {
    if (!answers.examples.has(name)) continue;
    const traits = [...traitsOf(request)].filter((trait) => !plain.has(trait));
    const shared = traits.filter((trait) => asked.has(trait)).length;
    // What is asked for and shown counts for more than what is shown besides.
    const score = 2 * shared - (traits.length - shared);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name;
}

/** Strings that choose, such as `tool` and `json_schema`, are short words; all others are text or names. */
const choosing = /^[a-z]+(?:_[a-z]+)*$/;
/** Below these stand schemas and values of the caller's own, of which nothing depends. */
const opaque = new Set(["parameters", "schema", "arguments", "content"]);

/** What a request asks for: `n=2`, `messages[].role=tool`, `response_format.type=json_schema`, and lists and objects by their names. */
function traitsOf(value: unknown, path = "", traits: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) traitsOf(item, `${path}[]`, traits);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member === null || member === undefined || opaque.has(key)) continue;
      const place = path === "" ? key : `${path}.${key}`;
      if (typeof member === "object") traits.add(place);
      traitsOf(member, place, traits);
    }
  } else if (typeof value !== "string" || choosing.test(value)) traits.add(`${path}=${String(value)}`);
  return traits;
}
