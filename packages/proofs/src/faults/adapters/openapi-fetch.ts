import type { paths } from "@trainyard/training";
import createClient, { type Client } from "openapi-fetch";
import { type Adapter, followBy, pagesBy, type Target } from "../adapter.ts";
import { jobId, modelId, newModel, question } from "../calls.ts";
import { textOfStream } from "./text-of-stream.ts";

const clientOf = ({ baseUrl, apiKey, fetch }: Target): Client<paths> =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` }, fetch });

/** Handles a result as its documentation shows. */
function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data | undefined {
  if (error) throw error;
  return data;
}

/** openapi-fetch alone, which has neither retries nor a timeout. */
export const openapiFetch: Adapter = {
  name: "openapi-fetch",
  package: "openapi-fetch",
  calls: {
    get: async (target) => {
      const params = { path: { training_job_id: jobId } };
      const { signal } = target;
      return String(
        dataOf(await clientOf(target).GET("/v1/preview/training-jobs/{training_job_id}", { params, signal }))?.id,
      );
    },
    keyed: async (target) => {
      const params = { header: { "Idempotency-Key": "k-1" } };
      const { signal } = target;
      return String(dataOf(await clientOf(target).POST("/v1/preview/models", { body: newModel, params, signal }))?.id);
    },
    unkeyed: async (target) => {
      const { signal } = target;
      return String(dataOf(await clientOf(target).POST("/v1/preview/models", { body: newModel, signal }))?.id);
    },
    never: async (target) => {
      const { signal } = target;
      return String(dataOf(await clientOf(target).GET("/v1/system-check", { signal }))?.api);
    },
    stream: async (target) => {
      const { signal } = target;
      const body = { ...question, stream: true };
      const result = await clientOf(target).POST("/v1/chat/completions", { body, parseAs: "stream", signal });
      return textOfStream(dataOf(result), target.seen);
    },
    page: async (target) => {
      const client = clientOf(target);
      const { signal } = target;
      return pagesBy(async (after) => {
        const params = { path: { model_id: modelId }, query: { ...(after && { after }) } };
        return dataOf(await client.GET("/v1/preview/models/{model_id}/checkpoints", { params, signal }));
      });
    },
    follow: async (target) => {
      const client = clientOf(target);
      const { signal } = target;
      return followBy(async (after) => {
        const params = { path: { training_job_id: jobId }, query: { ...(after && { after }) } };
        return dataOf(await client.GET("/v1/preview/training-jobs/{training_job_id}/events", { params, signal }));
      });
    },
  },
};
