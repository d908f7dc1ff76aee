import { eventParser } from "@trainyard/core/events";
import { isObject, memberAt, type JsonObject } from "@trainyard/core/validation";
import { exampleOf, type Call, type ExampleAnswer, type PlannedAnswer } from "@trainyard/host";

/**
 * An example of a chat with as many choices as the request asks for: those of the example, in turn. In a stream, the chunks
 * of the choices alternate. Undefined if the example is the answer.
 */
export function withChoices({ operation, body }: Call, { example }: ExampleAnswer): PlannedAnswer | undefined {
  const { stream } = operation;
  const n = stream?.fold === "chat" && memberAt(body, ["n"]);
  const shown = typeof n === "number" ? exampleOf(operation, example) : "";
  if (typeof n !== "number" || typeof shown === "string") return undefined;
  const isStream = typeof shown.body === "string";
  const parts = isStream ? eventsOf(shown.body, stream?.end) : [shown.body];
  const there = Math.max(...parts.flatMap(choicesOf).map(({ index }) => Number(index) + 1));
  if (there === n) return undefined;
  const indexes = [...Array(n).keys()];
  const copies = (choice: JsonObject) =>
    indexes.filter((index) => index % there === choice["index"]).map((index) => ({ ...choice, index }));
  if (!isStream) {
    const choices = choicesOf(shown.body).flatMap(copies);
    return { body: { ...Object(shown.body), choices: choices.toSorted((a, b) => a.index - b.index) } };
  }
  const chunks = parts.flatMap((chunk) => {
    const made = choicesOf(chunk).flatMap(copies);
    return made.length > 0 ? made.map((choice) => ({ ...Object(chunk), choices: [choice] })) : [chunk];
  });
  return { chunks };
}

/** The events of a stream in wire format, without the one that ends it. */
function eventsOf(text: unknown, end: string | undefined): unknown[] {
  const parser = eventParser();
  const events = [...parser.push(new TextEncoder().encode(String(text))), ...parser.end()];
  return events.filter(({ data }) => data !== end).map(({ data }): unknown => JSON.parse(data));
}

function choicesOf(answer: unknown): JsonObject[] {
  const choices = memberAt(answer, ["choices"]);
  return Array.isArray(choices) ? choices.filter(isObject) : [];
}
