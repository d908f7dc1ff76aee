import type {
  CreateRlTrainingJobRequest,
  CreateSftTrainingJobRequest,
  Model,
  TrainingJobEvent,
} from "@trainyard/training";

interface JobOfKind<Kind extends "rl" | "sft"> {
  readonly job: {
    readonly id: string;
    readonly kind: Kind;
    /** 1 for the first; an attempt that a crash of the server ended is followed by another. */
    readonly attempt: number;
  };
  readonly model: Omit<Model, "run_id">;
  /** What training starts from: the newest checkpoint. The untrained step 0 has no directory. */
  readonly checkpoint: { readonly step: number; readonly directory: string | null };
  /** What training makes. The directory is there, empty, and of this attempt alone. */
  readonly output: { readonly step: number; readonly directory: string };
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
  /** @throws Error where it is not there */
  check(): void;
  /**
   * Does one job, and gives its events.
   *
   * @param log is given what is told beside the events, as it comes
   * @throws Error where it fails in a way that no event says
   */
  run(job: TrainerJob, signal: AbortSignal, log: (text: string) => void): AsyncIterable<TrainerLine>;
}
