import { isObject } from "@trainyard/core/validation";
import { jsonOf, responseOf, type Operation } from "@trainyard/document";

/**
 * The name of the example that answers a request best: that of the document's own request which is most like it. A document
 * names the example of a request and that of its answer alike, so that what it shows decides, and no list of properties here.
 * Undefined where none is more like the request than the first, plainest one.
 *
 * Requests are compared by what they ask for: which properties they have, and the values of those that are no free text. What
 * the plainest example has as well tells nothing.
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
