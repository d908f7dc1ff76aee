import type { ApiPromise } from "@trainyard/core";
import * as generated from "./generated/client.ts";
import type { Checkpoint, TrainingJob, TrainingJobEvent } from "./generated/schema.ts";
import { follow, type FollowOptions } from "./jobs/follow.ts";
import { wait, type WaitOptions } from "./jobs/wait.ts";

/** Training by reinforcement learning and by supervised fine-tuning, and the events of training jobs. */
export interface TrainingJobsMethods extends generated.TrainingJobsMethods {
  /**
   * Follows a training job: yields its events as they arrive, each once, until `training_ended`. It polls every
   * second, and less often while there are no new events, down to every 5 seconds. If a poll fails with an error after
   * which a call is retried, it continues for up to `totalTimeoutMs`. Leaving the loop ends it.
   * @param trainingJobId The id of the training job, of either kind.
   * @param options `after` resumes after an event that you stored; `signal` ends it, also while it waits.
   * @returns The events, to be read once.
   * @throws {TrainingFailedError} The job failed. The error has the event `training_failed`, which is not yielded.
   * @throws {AbortError} The signal ended it.
   * @throws {UnauthorizedError} 401: The API key is missing or wrong.
   * @throws {NotFoundError} 404: The training job does not exist.
   * @throws {UnprocessableError} 422: `after` was never the id of an event of this job.
   */
  follow(trainingJobId: string, options?: FollowOptions): AsyncIterableIterator<TrainingJobEvent, undefined>;
  /**
   * Waits for a training job, as `follow` does, and returns its checkpoint: the one that the data of
   * `training_ended` names as `checkpoint_id`, or else the newest one of the model. If the event names none, another job
   * of the same model may have created the newest one meanwhile.
   * @param trainingJobId The id of the training job, of either kind.
   * @param options The options of `follow`, and `modelId`, which is required if another client created the job, because
   *   a job does not name its model.
   * @returns The new checkpoint.
   * @throws {TrainingFailedError} The job failed.
   * @throws {ConfigurationError} `modelId` is required. Nothing was sent.
   * @throws {AbortError} The signal ended it.
   * @throws {UnauthorizedError} 401: The API key is missing or wrong.
   * @throws {NotFoundError} 404: The training job does not exist, or its model was deleted.
   * @throws {TrainyardError} The checkpoint was deleted meanwhile.
   */
  wait(trainingJobId: string, options?: WaitOptions): Promise<Checkpoint>;
}

/**
 * A client of the training service. Manages models and their checkpoints, stores logged trajectories and calculates
 * metrics from them, trains by reinforcement learning (RL) and by supervised fine-tuning (SFT), and answers chat
 * completions. A new model has one checkpoint, untrained, at step 0; each job that completes adds one more.
 */
export interface TrainingClient extends generated.TrainingClient {
  readonly trainingJobs: TrainingJobsMethods;
}

/**
 * Creates a client of the training service.
 * @throws {ConfigurationError} if an option or variable is missing or invalid. The message names it.
 */
export function createTrainingClient(options?: generated.TrainingClientOptions): TrainingClient {
  const client = generated.createTrainingClient(options);
  const { trainingJobs: jobs } = client;
  const models = new Map<string, string>();

  const created = (modelId: string | undefined, job: ApiPromise<TrainingJob>): ApiPromise<TrainingJob> => {
    const noted = job.then((made) => {
      // A response that was not validated may be anything.
      if (made?.id && modelId) models.set(made.id, modelId);
      return made;
    });
    return Object.assign(noted, {
      withResponse: () => {
        // Callers of `withResponse()` never observe the other promise, so silence its rejection.
        noted.catch(() => {});
        return job.withResponse();
      },
    });
  };

  return {
    ...client,
    trainingJobs: {
      ...jobs,
      createRl: (body, options) => created(modelOf(body), jobs.createRl(body, options)),
      createSft: (body, options) => created(modelOf(body), jobs.createSft(body, options)),
      follow: (jobId, options) => follow(jobs, jobId, options),
      wait: (jobId, options) => wait(client, jobId, { modelId: models.get(jobId), ...options }),
    },
  };
}

/** The model in a body. A program without types may pass no body, which the service reports. */
const modelOf = (body: { readonly model_id: string }): string | undefined => Object(body).model_id;
