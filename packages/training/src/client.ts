import type { ApiPromise } from "@trainyard/core";
import * as generated from "./generated/client.ts";
import type { Checkpoint, TrainingJob, TrainingJobEvent } from "./generated/schema.ts";
import { follow, type FollowOptions } from "./jobs/follow.ts";
import { wait, type WaitOptions } from "./jobs/wait.ts";

/** Training by reinforcement learning and by supervised fine-tuning, and what happens in it. */
export interface TrainingJobsMethods extends generated.TrainingJobsMethods {
  /**
   * Follows a training job: gives its events as they come, each once, until `training_ended`. It asks for them every
   * second, slowly less often while none come, down to every 5 seconds. A poll that fails in a way that calls are sent
   * again after (no connection, a limit of time, 408, 429, 5xx) does not end it, for up to `totalTimeoutMs`. Leaving the
   * loop ends it.
   * @param trainingJobId The id of the training job, of either kind.
   * @param options `after` resumes behind an event that you stored; `signal` ends it, also while it waits.
   * @returns The events, to be read once.
   * @throws {TrainingFailedError} The job failed. The event `training_failed` is on the error, and is not given.
   * @throws {AbortError} The signal ended it.
   * @throws {UnauthorizedError} 401: The API key is missing or wrong.
   * @throws {NotFoundError} 404: There is no such training job.
   * @throws {UnprocessableError} 422: `after` was never the id of an event of this job.
   */
  follow(trainingJobId: string, options?: FollowOptions): AsyncIterableIterator<TrainingJobEvent, undefined>;
  /**
   * Waits for a training job, as `follow` does, and gives the checkpoint that came of it: the one that the data of
   * `training_ended` names as `checkpoint_id`, or else the newest of the model at that moment. Where it is not named, a
   * further job of the same model may have made the newest meanwhile.
   * @param trainingJobId The id of the training job, of either kind.
   * @param options What `follow` takes, and `modelId`. It is needed where another client created the job: the service
   *   does not tell the model of a job.
   * @returns The new checkpoint.
   * @throws {TrainingFailedError} The job failed.
   * @throws {ConfigurationError} `modelId` is needed. Nothing was sent.
   * @throws {AbortError} The signal ended it.
   * @throws {UnauthorizedError} 401: The API key is missing or wrong.
   * @throws {NotFoundError} 404: There is no such training job, or its model was deleted.
   * @throws {TrainyardError} The checkpoint was deleted meanwhile.
   */
  wait(trainingJobId: string, options?: WaitOptions): Promise<Checkpoint>;
}

/**
 * A client of the training service. Manages models and their checkpoints, takes logged trajectories and calculates
 * metrics from them, trains by reinforcement learning (RL) and by supervised fine-tuning (SFT), and answers chat
 * completions. A new model has one checkpoint, untrained, at step 0; each job that completes adds one more.
 */
export interface TrainingClient extends generated.TrainingClient {
  readonly trainingJobs: TrainingJobsMethods;
}

/**
 * Makes a client of the training service.
 * @throws {ConfigurationError} naming the option or variable that is missing or wrong.
 */
export function createTrainingClient(options?: generated.TrainingClientOptions): TrainingClient {
  const client = generated.createTrainingClient(options);
  const { trainingJobs: jobs } = client;
  const models = new Map<string, string>();

  const created = (modelId: string | undefined, job: ApiPromise<TrainingJob>): ApiPromise<TrainingJob> => {
    const noted = job.then((made) => {
      // Unchecked, an answer may be anything.
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

/** The model that a body names, where there is a body: programs without types may pass none, and the service says so. */
const modelOf = (body: { readonly model_id: string }): string | undefined => Object(body).model_id;
