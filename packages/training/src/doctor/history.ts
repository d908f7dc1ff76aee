import type { TrainingJobEvent, TrajectoryGroup } from "../generated/schema.ts";
import { answersOf, attemptFlags, marksOf, oldestPolicy, policyOf, readAttempt, taskOf, typeOf } from "./reading.ts";

/** How many steps and jobs the rules look back. */
export const window = 10;

/** How many of a step's newest groups the rules read, so that an open page costs the same while a step grows. */
export const mostGroups = 1000;

/** What the rules read of a group: numbers and names, and no conversation. Lists have a value for each attempt with a reward. */
export interface GroupFigures {
  readonly task: string;
  readonly name: string;
  readonly rewards: readonly number[];
  readonly tokens: readonly (number | null)[];
  /** The values of each metric, by its name and the place of the attempt. */
  readonly metrics: Readonly<Record<string, Readonly<Record<number, number | null>>>>;
  /** `attemptFlags` of each attempt, and of the exceptions after them. */
  readonly marks: readonly number[];
  /** The types of its exceptions. */
  readonly thrown: readonly string[];
  /** The types of the errors that attempts with a reward name. */
  readonly errors: readonly (string | null)[];
  /** How many different answers it has. */
  readonly answers: number;
  /** The mean of −log p of its attempts, in nats; null if it is not known. */
  readonly nats: number | null;
  /** How many steps old the oldest policy was; null if no attempt has its policy. */
  readonly lag: number | null;
}

/** The groups of a split at a step. */
export interface StepFigures {
  readonly step: number;
  readonly groups: readonly GroupFigures[];
}

/** A job that ended. */
export interface JobFigures {
  /** The step that it created, or was to create. */
  readonly step: number;
  /** The data of its gradient steps. */
  readonly updates: readonly Readonly<Record<string, number>>[];
  /** Why it failed, if it did. */
  readonly failure?: string | undefined;
  readonly id?: string | undefined;
}

/** A run, as the rules read it: the newest steps and jobs, oldest first. */
export interface RunFigures {
  /** The split that is judged: `train`, or the first one. */
  readonly split: string;
  readonly steps: readonly StepFigures[];
  /** Held-out tasks. */
  readonly val: readonly StepFigures[];
  readonly jobs: readonly JobFigures[];
  /** The lowest and the highest reward of the whole run; null without rewards. */
  readonly range: { readonly low: number; readonly high: number } | null;
  /** The highest reward of each task in the whole run. */
  readonly best: ReadonlyMap<string, number>;
}

/**
 * What a program logged and trained, as a summary of the newest ten steps and the newest 1,000 groups of each. It needs no
 * server, and keeps no conversation.
 */
export class History implements RunFigures {
  readonly split: string = "train";
  readonly steps: StepFigures[] = [];
  readonly val: StepFigures[] = [];
  readonly jobs: JobFigures[] = [];
  readonly best: Map<string, number> = new Map();
  range: { readonly low: number; readonly high: number } | null = null;

  /**
   * Adds groups as they are logged.
   *
   * @param step the step of the model that made the attempts, as Log answers it
   * @param split `train` by default; `val` for held-out tasks
   */
  log(step: number, groups: readonly TrajectoryGroup[], split: "train" | "val" = "train"): void {
    const steps = split === "train" ? this.steps : this.val;
    const added = groups.map((group) => figuresOf(group, step));
    const earlier = steps.at(-1)?.step === step ? steps.pop() : undefined;
    steps.push({ step, groups: [...(earlier?.groups ?? []), ...added].slice(-mostGroups) });
    if (steps.length > window) steps.shift();
    for (const { task, rewards } of added) {
      for (const reward of rewards) {
        const { low, high } = this.range ?? { low: reward, high: reward };
        this.range = { low: Math.min(low, reward), high: Math.max(high, reward) };
        if (split === "train") this.best.set(task, Math.max(this.best.get(task) ?? reward, reward));
      }
    }
  }

  /**
   * Adds a job that ended.
   *
   * @param step the step that it created
   * @param events its events, as `follow` yields them
   */
  job(step: number, events: readonly Pick<TrainingJobEvent, "type" | "data">[]): void {
    this.jobs.push(jobOf(step, events));
    if (this.jobs.length > window) this.jobs.shift();
  }
}

/** What the rules read of a job's events. */
export function jobOf(step: number, events: readonly Pick<TrainingJobEvent, "type" | "data">[]): JobFigures {
  const failed = events.find(({ type }) => type === "training_failed");
  return {
    step,
    updates: events.flatMap(({ type, data }) => (type === "gradient_step" ? [data as Record<string, number>] : [])),
    ...(failed && { failure: String(Object(failed.data)["error_message"]) }),
  };
}

/** What the rules read of a group whose attempts a model of a step made. */
export function figuresOf(group: TrajectoryGroup, step: number): GroupFigures {
  const { trajectories, exceptions = [] } = group;
  const attempts = trajectories.map((trajectory) => readAttempt(trajectory));
  const policies = attempts.map(policyOf);
  const metrics: Record<string, Record<number, number>> = {};
  for (const [place, { metrics: given = {} }] of trajectories.entries())
    for (const [name, value] of Object.entries(given)) (metrics[name] ??= {})[place] = Number(value);
  const isStale = (policy: number | null) => policy !== null && step - policy > oldestPolicy;
  const marks = marksOf(attempts).map((mark, at) => mark | (isStale(policies[at] ?? null) ? attemptFlags.stale : 0));
  return {
    ...taskOf(group),
    rewards: attempts.map(({ reward }) => reward),
    tokens: attempts.map(({ tokens }) => tokens),
    metrics,
    marks: [...marks, ...exceptions.map(() => attemptFlags.exception)],
    thrown: exceptions.map(typeOf),
    errors: attempts.map(({ error }) => error),
    ...answersOf(attempts),
    lag: lagOf(policies, step),
  };
}

/** How many steps older than a step the oldest of some policies is; null if none is known. */
export function lagOf(policies: readonly (number | null)[], step: number): number | null {
  return policies.reduce<number | null>(
    (most, policy) => (policy === null ? most : Math.max(most ?? 0, step - policy)),
    null,
  );
}
