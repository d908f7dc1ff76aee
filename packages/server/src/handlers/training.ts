import { refuse, refuseFault } from "@trainyard/host";
import type { SystemCheck, SystemCheckPart } from "@trainyard/training";
import type { Chat } from "../chat/chat.ts";
import { plainArtifact } from "../chat/model-name.ts";
import type { Answer, Handlers, OperationOf } from "../http/service-types.ts";
import { dataUrlFault } from "../jobs/training-data.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { StoreRefusal } from "../store/refusal.ts";
import { StorageFault } from "../store/storage-fault.ts";
import type { NewLog } from "../store/commands/logs.ts";
import { storeInPieces } from "../store/in-pieces.ts";
import type { Store } from "../store/store.ts";

/** What the training service needs. */
export interface TrainingParts {
  readonly store: Store;
  readonly chat: Chat;
  readonly jobs: Jobs;
  /** The hosts that training data may be downloaded from. */
  readonly dataHosts: readonly string[];
  /** @throws Error while a thread that validates bodies gives no sign of life */
  readonly checkThreads: () => void;
}

/** The training service. */
export function trainingHandlers({ store, chat, jobs, dataHosts, checkThreads }: TrainingParts): Handlers<"training"> {
  return {
    "chat.completions.create": (call) => chat.complete(call, 422),

    "models.listBase": async ({ signal }) => {
      const models = (await chat.baseModels(signal)) ?? [];
      return "refusal" in models ? models : { status: 200, body: models };
    },

    "models.create": async ({ owner: entity, body, idempotency, signal }) => {
      if (typeof body.entity === "string" && body.entity !== entity) {
        const cure = `Leave \`entity\` out, or send ${entity}.`;
        return refuse(403, `The key does not belong to the entity ${body.entity}. ${cure}`);
      }
      const { project, name, base_model: baseModel, return_existing: returnExisting = false } = body;
      const baseModels = await chat.baseModels(signal);
      // If the backend cannot be reached or has no list, an unknown base model is reported by the first chat instead.
      if (
        baseModels !== undefined &&
        !("refusal" in baseModels) &&
        !baseModels.some((id) => id === baseModel || id === `${baseModel}:latest`)
      ) {
        const message = `There is no base model ${baseModel} here. There are: ${baseModels.join(", ")}.`;
        return refuseFault(422, ["body", "base_model"], message);
      }
      const wanted = { entity, project, name, baseModel, returnExisting, idempotency };
      const model = await store.call("models.create", wanted).catch((error: unknown) => {
        if (error instanceof StoreRefusal) return refuseFault(422, ["body"], error.message);
        throw error;
      });
      if (typeof model === "object" && "refusal" in model) return model;
      if (model === "key-reused") return keyReused(idempotency);
      if (model !== "name-taken") return { status: 200, body: model };
      return refuse(409, `The project ${project} already has a model ${name}. Set return_existing to get it.`);
    },

    "models.delete": async ({ owner: entity, path }) => {
      const deleted = await store.call("models.delete", { entity, id: path.model_id });
      if (deleted === "not-found") return noModel(path.model_id);
      jobs.modelDeleted(path.model_id);
      const { checkpoints, run } = deleted;
      return { status: 200, body: { model_id: path.model_id, deleted_checkpoints: checkpoints, deleted_run: run } };
    },

    "models.checkpoints.list": async ({ owner: entity, path, query }) => {
      const { after, limit = 20, order = "asc" } = query;
      const page = await store.call("checkpoints.list", { entity, modelId: path.model_id, after, limit, order });
      if (page === "not-found") return noModel(path.model_id);
      return page === "unknown-cursor" ? unknownCursor() : { status: 200, body: pageBody(page) };
    },

    "models.checkpoints.delete": async ({ owner: entity, path, body: { steps } }) => {
      const result = await store.call("checkpoints.delete", { entity, modelId: path.model_id, steps });
      if (result === "not-found") return noModel(path.model_id);
      if (result === "newest") {
        return refuse(
          409,
          "The newest checkpoint of a model cannot be deleted. Nothing was deleted: leave its step out.",
        );
      }
      jobs.checkpointsDeleted(path.model_id, result.deleted);
      return { status: 200, body: { deleted_count: result.deleted.length, not_found_steps: result.notFound } };
    },

    "models.log": async ({ owner: entity, path, body, bytes, idempotency }) => {
      const { model_id: modelId } = path;
      const input = { entity, modelId, ...body, body: bytes, idempotency };
      // Not awaited here: that would hold the body, which may be large, until the log is on disk.
      return keepLog(store, input, bytes.buffer);
    },

    "trainingJobs.createRl": async ({ owner: entity, body, bytes, idempotency }) => {
      const { model_id: modelId, ...rows } = body;
      const job = await jobs.create({ entity, modelId, kind: "rl", request: bytes, idempotency, ...rows });
      if (job === "not-found") return noModel(body.model_id);
      return job === "key-reused" ? keyReused(idempotency) : { status: 200, body: job };
    },

    "trainingJobs.createSft": async ({ owner: entity, body, bytes, idempotency }) => {
      const fault = dataUrlFault(body.training_data_url, dataHosts);
      if (fault !== undefined) return refuseFault(422, ["body", "training_data_url"], fault);
      const dataUrl = plainArtifact(body.training_data_url);
      const config = JSON.stringify(body.experimental_config ?? body.config ?? {});
      const of = { entity, modelId: body.model_id, kind: "sft", groups: [], counts: none, config } as const;
      const job = await jobs.create({ ...of, request: bytes, dataUrl, idempotency });
      if (job === "not-found") return noModel(body.model_id);
      return job === "key-reused" ? keyReused(idempotency) : { status: 200, body: job };
    },

    "trainingJobs.get": async ({ owner: entity, path }) => {
      const job = await store.call("jobs.get", { entity, id: path.training_job_id });
      return job === undefined ? noJob(path.training_job_id) : { status: 200, body: job };
    },

    "trainingJobs.events.list": async ({ owner: entity, path, query: { after, limit = 20 } }) => {
      const page = await store.call("events.list", { entity, jobId: path.training_job_id, after, limit });
      if (page === "not-found") return noJob(path.training_job_id);
      if (page === "unknown-cursor") return unknownCursor();
      return { status: 200, body: pageBody(page) };
    },

    "health.check": async () => ({ status: 200, body: { status: "ok" } }),

    "health.systemCheck": async ({ signal }) => {
      // Whether the database accepts a row, its queue of statistics, and what chat and training jobs need.
      const [database, cpu, gpu] = await Promise.all([
        attempt(() => store.call("store.check", undefined)),
        attempt(
          () => store.read("store.ping", undefined),
          async () => checkThreads(),
        ),
        attempt(
          () => chat.check(signal),
          () => jobs.check(),
        ),
      ]);
      const training = jobs.hasTrainer ? {} : { configured: false as const };
      const body: SystemCheck = { api: true, database, cpu_queue: cpu, gpu_queue: { ...gpu, ...training } };
      const works = body.database.success && body.cpu_queue.success && body.gpu_queue.success;
      return { status: works ? 200 : 503, body };
    },
  };
}

const none = { groups: 0, sequences: 0 };

type LogAnswer = Answer<OperationOf<"training", "models.log">>;

async function keepLog(
  store: Store,
  { groups, ...input }: Omit<NewLog, "groups" | "more"> & { readonly groups: readonly string[] },
  buffer: ArrayBuffer,
): Promise<LogAnswer> {
  const log = await storeInPieces(store, input, groups, (first) =>
    store.call("logs.add", { ...input, ...first }, [buffer]),
  );
  if (log === "not-found") return noModel(input.modelId);
  return log === "key-reused" ? keyReused(input.idempotency) : { status: 200, body: log };
}

const noModel = (id: string) => refuse(404, `Model ${id} not found.`);
const noJob = (id: string) => refuse(404, `Training job ${id} not found.`);
const unknownCursor = () => refuseFault(422, ["query", "after"], "This is not the id of an item of this list.");
const keyReused = (repeated: { readonly key: string } | undefined) =>
  refuse(409, `The Idempotency-Key ${repeated?.key} was used with another body. Use a new key for each request.`);

function pageBody<T extends { id: string }>({ items, hasMore }: { items: T[]; hasMore: boolean }) {
  const [first, last] = [items[0]?.id ?? "", items.at(-1)?.id ?? ""];
  return { object: "list" as const, data: items, first_id: first, last_id: last, has_more: hasMore };
}

/** Tests a part of the server, for at most 10 s. A test has no request to retry, so only the fault of the storage is returned. */
async function attempt(...checks: (() => Promise<unknown>)[]): Promise<SystemCheckPart> {
  const start = performance.now();
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(new Error("There was no response within 10 s."));
    AbortSignal.timeout(10_000).addEventListener("abort", tell);
  });
  const results = await Promise.allSettled(checks.map((check) => Promise.race([check(), late])));
  const errors = results.flatMap((result) => (result.status === "rejected" ? [sentenceOf(result.reason)] : []));
  const duration = (performance.now() - start) / 1000;
  return { success: errors.length === 0, duration, error: errors.length === 0 ? null : errors.join(" ") };
}

function sentenceOf(error: unknown): string {
  if (error instanceof StorageFault) return error.fault;
  return error instanceof Error ? error.message : String(error);
}
