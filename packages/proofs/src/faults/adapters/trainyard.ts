import { createTrainingClient, type TrainingClient } from "@trainyard/training";
import type { Adapter, Target } from "../adapter.ts";
import { jobId, modelId, newModel, question } from "../calls.ts";

const clientOf = ({ baseUrl, apiKey, timeoutMs, fetch }: Target): TrainingClient =>
  createTrainingClient({ baseUrl, apiKey, timeoutMs, fetch });

/** Our client. */
export const trainyard: Adapter = {
  name: "Trainyard",
  package: "@trainyard/training",
  calls: {
    get: async (target) => (await clientOf(target).trainingJobs.get(jobId, { signal: target.signal })).id,
    keyed: async (target) =>
      (await clientOf(target).models.create(newModel, { idempotencyKey: "k-1", signal: target.signal })).id,
    unkeyed: async (target) => (await clientOf(target).models.create(newModel, { signal: target.signal })).id,
    never: async (target) => String((await clientOf(target).health.systemCheck({ signal: target.signal })).api),
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
      const ids: string[] = [];
      const list = clientOf(target).models.checkpoints.list(modelId, {}, { signal: target.signal });
      for await (const { id } of list) ids.push(id);
      return ids.join(" ");
    },
    follow: async (target) => {
      const ids: string[] = [];
      for await (const { id } of clientOf(target).trainingJobs.follow(jobId, { signal: target.signal })) ids.push(id);
      return ids.join(" ");
    },
  },
};
