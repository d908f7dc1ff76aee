import { isObject } from "@trainyard/core/validation";
import { events, items, json, type SeedRow } from "../seed.ts";

const chunk = (change: (chunk: Record<string, unknown>, index: number) => void): SeedRow["change"] =>
  events((data) =>
    data.map((one, index) => {
      if (one === "[DONE]") return one;
      const value: Record<string, unknown> = JSON.parse(one);
      change(value, index);
      return JSON.stringify(value);
    }),
  );

/** Divergences in streams. */
export const streams: readonly SeedRow[] = [
  {
    title: "a stream has no end event",
    on: "inference chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => data.filter((one) => one !== "[DONE]")),
  },
  {
    title: "a chunk lacks a required field",
    on: "inference chat.completions.create",
    names: /choices/,
    change: chunk((value, index) => {
      if (index === 1) delete value["choices"];
    }),
  },
  {
    title: "no chunk has the usage",
    on: "training chat.completions.create",
    names: /usage/,
    change: events((data) => data.filter((one) => !/"usage":\{/.test(one))),
  },
  {
    title: "the chunks have different ids",
    on: "inference chat.completions.create",
    names: /share|id/,
    change: chunk((value, index) => void (value["id"] = `chatcmpl-${index}`)),
  },
  {
    title: "a chunk is sent twice",
    on: "inference chat.completions.create",
    names: /add up|stream/,
    change: events((data) => data.flatMap((one, index) => (index === 2 ? [one, one] : [one]))),
  },
  {
    title: "a request for a stream returns JSON",
    on: "inference chat.completions.create",
    names: /event-stream/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["stream"] === true)
        Object.assign(answer, await forward({ body: { ...body, stream: false } }));
    },
  },
  {
    title: "the end event is sent twice",
    on: "training chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => [...data, "[DONE]"]),
  },
  {
    title: "an event is not JSON",
    on: "training chat.completions.create",
    names: /JSON/,
    change: events((data) => data.map((one, index) => (index === 1 ? `${one},` : one))),
  },
  {
    title: "no chunk has a finish reason",
    on: "inference chat.completions.create",
    names: /finish_reason/,
    change: events((data) => data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":null'))),
  },
  {
    title: "a part of the text is missing from a stream",
    on: "inference chat.completions.create",
    names: /add up/,
    change: events((data) => data.filter((_, index) => index !== 2)),
  },
  {
    title: "the chunks have another object type",
    on: "inference chat.completions.create",
    names: /object/,
    change: events((data) => data.map((one) => one.replace("chat.completion.chunk", "chat.completion"))),
  },
  {
    title: "one choice is returned instead of two",
    on: "inference chat.completions.create",
    names: /choices/,
    change: json((answer) => void (answer["choices"] = items(answer, "choices").slice(0, 1))),
  },
];
