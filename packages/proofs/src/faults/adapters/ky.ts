import ky, { type KyInstance } from "ky";
import { type Adapter, followBy, pagesBy, type Target } from "../adapter.ts";
import { jobId, modelId, newModel, question } from "../calls.ts";
import { textOfStream } from "./text-of-stream.ts";

const clientOf = ({ baseUrl, apiKey, timeoutMs, fetch, signal }: Target): KyInstance =>
  ky.create({
    prefix: `${baseUrl}/v1`,
    headers: { authorization: `Bearer ${apiKey}` },
    timeout: timeoutMs,
    fetch,
    signal,
  });

const after = (cursor: string | undefined): { searchParams: Record<string, string> } => ({
  searchParams: cursor === undefined ? {} : { after: cursor },
});

/** ky, with its retries, which apply to GET, PUT, HEAD, DELETE, OPTIONS and TRACE. */
export const kyAdapter: Adapter = {
  name: "ky",
  package: "ky",
  calls: {
    get: async (target) => (await clientOf(target).get(`preview/training-jobs/${jobId}`).json<{ id: string }>()).id,
    keyed: async (target) => {
      const options = { json: newModel, headers: { "idempotency-key": "k-1" } };
      return (await clientOf(target).post("preview/models", options).json<{ id: string }>()).id;
    },
    unkeyed: async (target) =>
      (await clientOf(target).post("preview/models", { json: newModel }).json<{ id: string }>()).id,
    never: async (target) => String((await clientOf(target).get("system-check").json<{ api: boolean }>()).api),
    stream: async (target) => {
      const response = await clientOf(target).post("chat/completions", { json: { ...question, stream: true } });
      return textOfStream(response.body, target.seen);
    },
    page: (target) => {
      const client = clientOf(target);
      return pagesBy((cursor) => client.get(`preview/models/${modelId}/checkpoints`, after(cursor)).json());
    },
    follow: (target) => {
      const client = clientOf(target);
      return followBy((cursor) => client.get(`preview/training-jobs/${jobId}/events`, after(cursor)).json());
    },
  },
};
