import { isObject } from "@trainyard/core/validation";
import { events, items, json, type Seed } from "../seed.ts";

const chunk = (change: (chunk: Record<string, unknown>, index: number) => void): Seed["change"] =>
  events((data) =>
    data.map((one, index) => {
      if (one === "[DONE]") return one;
      const value: Record<string, unknown> = JSON.parse(one);
      change(value, index);
      return JSON.stringify(value);
    }),
  );

/** Divergences in streams. */
export const streams: readonly Seed[] = [
  {
    title: "a stream has no end event",
    service: "inference",
    operation: "chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => data.filter((one) => one !== "[DONE]")),
  },
  {
    title: "a chunk lacks a required field",
    service: "inference",
    operation: "chat.completions.create",
    names: /choices/,
    change: chunk((value, index) => {
      if (index === 1) delete value["choices"];
    }),
  },
  {
    title: "no chunk has the usage",
    service: "training",
    operation: "chat.completions.create",
    names: /usage/,
    change: events((data) => data.filter((one) => !/"usage":\{/.test(one))),
  },
  {
    title: "the chunks have different ids",
    service: "inference",
    operation: "chat.completions.create",
    names: /share|id/,
    change: chunk((value, index) => void (value["id"] = `chatcmpl-${index}`)),
  },
  {
    title: "a chunk is sent twice",
    service: "inference",
    operation: "chat.completions.create",
    names: /add up|stream/,
    change: events((data) => data.flatMap((one, index) => (index === 2 ? [one, one] : [one]))),
  },
  {
    title: "a request for a stream returns JSON",
    service: "inference",
    operation: "chat.completions.create",
    names: /event-stream/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["stream"] === true)
        Object.assign(answer, await forward({ body: { ...body, stream: false } }));
    },
  },
  {
    title: "the end event is sent twice",
    service: "training",
    operation: "chat.completions.create",
    names: /\[DONE\]/,
    change: events((data) => [...data, "[DONE]"]),
  },
  {
    title: "an event is not JSON",
    service: "training",
    operation: "chat.completions.create",
    names: /JSON/,
    change: events((data) => data.map((one, index) => (index === 1 ? `${one},` : one))),
  },
  {
    title: "no chunk has a finish reason",
    service: "inference",
    operation: "chat.completions.create",
    names: /finish_reason/,
    change: events((data) => data.map((one) => one.replace(/"finish_reason":"\w+"/, '"finish_reason":null'))),
  },
  {
    title: "a part of the text is missing from a stream",
    service: "inference",
    operation: "chat.completions.create",
    names: /add up/,
    change: events((data) => data.filter((_, index) => index !== 2)),
  },
  {
    title: "the chunks have another object type",
    service: "inference",
    operation: "chat.completions.create",
    names: /object/,
    change: events((data) => data.map((one) => one.replace("chat.completion.chunk", "chat.completion"))),
  },
  {
    title: "one choice is returned instead of two",
    service: "inference",
    operation: "chat.completions.create",
    names: /choices/,
    change: json((answer) => void (answer["choices"] = items(answer, "choices").slice(0, 1))),
  },
];
