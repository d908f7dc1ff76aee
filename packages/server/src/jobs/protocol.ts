import type { CreateRlTrainingJobRequest, CreateSftTrainingJobRequest, TrainingJobEvent } from "@trainyard/training";
import type { ModelNames } from "./model-names.ts";
import type { TrainerLog } from "./trainer-log.ts";

/** What jobs of both kinds have. */
export interface JobOfKind<Kind extends "rl" | "sft"> {
  readonly job: {
    readonly id: string;
    readonly kind: Kind;
    /** 1 for the first; an attempt that a crash of the server ended is followed by another. */
    readonly attempt: number;
  };
  readonly model: ModelNames;
  /** What training starts from: the newest checkpoint. The untrained step 0 has no directory. */
  readonly checkpoint: { readonly step: number; readonly directory: string | null };
  /** What training makes. The directory is there, empty, and of this attempt alone. */
  readonly output: { readonly step: number; readonly directory: string };
  /** What a trainer needs to go on where it was; present with `trainer: { resume: true }`. */
  readonly resume?: Resume;
}

/** Where the work of a job goes on, whether a server runs or not. */
export interface Resume {
  /** The job's folder: the same at each start of the trainer for this job, and deleted after the job has ended. */
  readonly directory: string;
  /** How many events of the job the server has stored. Leave out this many; 0 at the first start. */
  readonly events: number;
}

/** What a trainer with `resume` reads if it must end what still runs for a job that has ended. */
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
  /** Where the data came from, and the file that they are in: JSON Lines. */
  readonly training_data: { readonly url: string; readonly file: string };
}

/**
 * What a trainer reads from its standard input, as one JSON document. `"training_data" in job` tells the two kinds apart.
 */
export type TrainerJob = RlTrainerJob | SftTrainerJob;

type WithoutId<Event> = Event extends unknown ? Omit<Event, "id"> : never;

/** What a trainer writes to its standard output, one a line: an event of the contract, whose id the server gives. */
export type TrainerEvent = WithoutId<TrainingJobEvent>;

/** A line that a trainer wrote, before it is judged as a `TrainerEvent`. */
export interface TrainerLine {
  readonly type: string;
  readonly data: unknown;
}

/** What trains: a program, or in a page the tiny model's own code. */
export interface Trainer {
  /** How many jobs may run at the same time, each of another model; 1 by default, 0 lets them wait. */
  readonly jobs?: number | undefined;
  /** Whether the work goes on without the server, and is taken up again; false by default. */
  readonly resume?: boolean | undefined;
  /** @throws Error where it is not there */
  check(): void;
  /**
   * Does one job, and gives its events.
   *
   * @throws Error where it fails in a way that no event says
   */
  run(run: TrainerRun): AsyncIterable<TrainerLine>;
}

/** One run of a trainer. */
export interface TrainerRun {
  /** A `TrainerJob` or a `CancelTrainerJob`, as JSON. */
  readonly input: string;
  /** Ends it; with the reason `LetRun`, what it follows goes on. */
  readonly signal: AbortSignal;
  /** Is given what is told beside the events, as it comes. */
  readonly log: Pick<TrainerLog, "write" | "lastLine">;
  /** Is told the exit code, or the signal that ended it. */
  readonly ended?: (code: number | string) => void;
}

/** Why a trainer is asked to end: the server closes, and what the trainer follows is to go on. */
export class LetRun extends Error {}
