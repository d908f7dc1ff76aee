import type {
  CreateRlTrainingJobRequest,
  CreateSftTrainingJobRequest,
  Model,
  TrainingJobEvent,
} from "@trainyard/training";
import type { TrainerLog } from "./trainer-log.ts";

/** The names of a model, as its trainer and `model.json` get them. Other fields of `Model` are left out. */
export type ModelNames = Pick<Model, "id" | "entity" | "project" | "name" | "base_model">;

/** Copies the names of a model and no other field. */
export function namesOf({ id, entity, project, name, base_model }: ModelNames): ModelNames {
  return { id, entity, project, name, base_model };
}

/** The fields that jobs of both kinds have. */
export interface JobOfKind<Kind extends "rl" | "sft"> {
  readonly job: {
    readonly id: string;
    readonly kind: Kind;
    /** 1 for the first; another attempt follows if a crash of the server ended the one before. */
    readonly attempt: number;
  };
  readonly model: ModelNames;
  /** What training starts from: the newest checkpoint. The untrained step 0 has no directory. */
  readonly checkpoint: { readonly step: number; readonly directory: string | null };
  /** The checkpoint that training makes. Its directory exists, is empty, and belongs to this attempt alone. */
  readonly output: { readonly step: number; readonly directory: string };
  /** What a trainer needs to resume its work; present with `trainer: { resume: true }`. */
  readonly resume?: Resume;
}

/** How a trainer resumes work that continues whether a server runs or not. */
export interface Resume {
  /** The job's folder: the same at each start of the trainer for this job, and deleted after the job has ended. */
  readonly directory: string;
  /** How many events of the job the server has stored; 0 at the first start. Do not write these again. */
  readonly events: number;
  /**
   * Set by `trainyard slurm`: a folder that stays if the job is preempted and submitted again. A program saves there what it
   * needs to go on, and replaces files by renaming. If the folder is empty, it begins anew, and writes all events again.
   */
  readonly state?: string;
  /** Set by `trainyard slurm`: 1 for the first submission of the job, 2 for the second one … */
  readonly submission?: number;
}

/** What a trainer with `resume` reads if it must stop what still runs for a job that has ended. */
export interface CancelTrainerJob {
  readonly job: { readonly id: string };
  readonly cancel: { readonly directory: string };
}

/** A reinforcement learning job, as its program reads it. */
export interface RlTrainerJob
  extends JobOfKind<"rl">, Pick<CreateRlTrainingJobRequest, "trajectory_groups" | "experimental_config"> {}

/** A supervised fine-tuning job, as its program reads it. */
export interface SftTrainerJob
  extends JobOfKind<"sft">, Pick<CreateSftTrainingJobRequest, "config" | "experimental_config"> {
  /** The URL of the data, and the file that contains them as JSON Lines. */
  readonly training_data: { readonly url: string; readonly file: string };
}

/**
 * What a trainer reads from its standard input, as one JSON document. `"training_data" in job` tells the two kinds apart.
 */
export type TrainerJob = RlTrainerJob | SftTrainerJob;

type WithoutId<Event> = Event extends unknown ? Omit<Event, "id"> : never;

/**
 * What a trainer writes to its standard output, one event a line: an event of the contract without its id, which the
 * server adds.
 */
export type TrainerEvent = WithoutId<TrainingJobEvent>;

/** A line that a trainer wrote, before it is validated as a `TrainerEvent`. */
export interface TrainerLine {
  readonly type: string;
  readonly data: unknown;
}

/** What trains: a program, or in a page the tiny model's own code. */
export interface Trainer {
  /** How many jobs may run at the same time, each for a different model; 1 by default, 0 keeps jobs queued. */
  readonly jobs?: number | undefined;
  /** Whether the work continues without the server, and is resumed later; false by default. */
  readonly resume?: boolean | undefined;
  /** @throws Error if the trainer does not exist */
  check(): void;
  /**
   * Runs one job, and yields its events, those together that arrive together.
   *
   * @throws Error if it fails without an event that says so
   */
  run(run: TrainerRun): AsyncIterable<readonly TrainerLine[]>;
}

/** One run of a trainer. */
export interface TrainerRun {
  /** A `TrainerJob` or a `CancelTrainerJob`, as JSON. */
  readonly input: string;
  /** Ends the run when it aborts. With the reason `LetRun`, the work that the trainer follows continues. */
  readonly signal: AbortSignal;
  /** Receives each line that the trainer writes besides events. */
  readonly log: Pick<TrainerLog, "write" | "lastLine">;
  /** Receives the exit code, or the signal that ended it. */
  readonly ended?: (code: number | string) => void;
}

/** The reason for ending a trainer when the server closes and the work that the trainer follows is to continue. */
export class LetRun extends Error {}
