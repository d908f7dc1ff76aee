import OpenAI from "openai";
import { type Adapter, followBy, pagesBy, type Target } from "../adapter.ts";
import { jobId, modelId, newModel, question } from "../calls.ts";

const clientOf = ({ baseUrl, apiKey, timeoutMs, fetch }: Target): OpenAI =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, timeout: timeoutMs, fetch, logLevel: "off" });

// It returns undefined for an empty body.
const idOf = (answer: { id?: string } | undefined): string => String(answer?.id);

type Page<Item> = { data: Item[]; has_more: boolean };

/** The package `openai`, with its retries. Operations without a method use its `get` and `post`. */
export const openai: Adapter = {
  name: "openai",
  package: "openai",
  calls: {
    get: async (target) => {
      const { signal } = target;
      return idOf(await clientOf(target).get(`/preview/training-jobs/${jobId}`, { signal }));
    },
    keyed: async (target) => {
      const { signal } = target;
      const options = { body: newModel, idempotencyKey: "k-1", signal };
      return idOf(await clientOf(target).post("/preview/models", options));
    },
    unkeyed: async (target) => {
      const { signal } = target;
      return idOf(await clientOf(target).post("/preview/models", { body: newModel, signal }));
    },
    never: async (target) => {
      const { signal } = target;
      return String((await clientOf(target).get<{ api: boolean } | undefined>("/system-check", { signal }))?.api);
    },
    stream: async (target) => {
      const { signal } = target;
      const stream = await clientOf(target).chat.completions.create({ ...question, stream: true }, { signal });
      let text = "";
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        target.seen();
      }
      return text;
    },
    page: async (target) => {
      const { signal } = target;
      const client = clientOf(target);
      return pagesBy((after) =>
        client.get<Page<{ id: string }>>(`/preview/models/${modelId}/checkpoints`, { query: { after }, signal }),
      );
    },
    follow: async (target) => {
      const { signal } = target;
      const client = clientOf(target);
      return followBy((after) =>
        client.get<Page<{ id: string; type: string }>>(`/preview/training-jobs/${jobId}/events`, {
          query: { after },
          signal,
        }),
      );
    },
  },
};
