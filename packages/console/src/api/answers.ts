import type {
  Attempt,
  Flag,
  Marks,
  RolloutLine,
  Run,
  RunPage,
  RunsListQuery,
  RunsRolloutsExportQuery,
} from "@trainyard/local";

/**
 * What the pages read from the server, by path. The server has a route for each, with the same parameters. Attempts, marks
 * and the list of runs are in the contract, because programs read them, too.
 */
export interface Reads {
  readonly "/runs": { query: RunsListQuery; answer: RunPage };
  readonly "/runs/{run_id}": { query: object; answer: RunDetail };
  readonly "/runs/{run_id}/keys": { query: object; answer: RunKeys };
  readonly "/runs/{run_id}/marks": { query: object; answer: Marks };
  readonly "/runs/{run_id}/curve": { query: CurveQuery; answer: Curve };
  readonly "/runs/{run_id}/curve.csv": { query: CurveQuery; answer: string };
  readonly "/runs/{run_id}/groups": {
    query: Conditions & ListQuery & { sort?: "place" | "flagged" };
    answer: CountedPage<GroupSummary>;
  };
  readonly "/runs/{run_id}/groups/{group_id}": { query: object; answer: GroupDetail };
  readonly "/runs/{run_id}/rollouts": {
    /** `sort` is a figure of attempts, or `metric.<name>`; descending with `-` in front. */
    query: Conditions & ListQuery & { sort?: string; offset?: number };
    answer: CountedPage<Rollout>;
  };
  /** The hits are JSON Lines, written as they are found. */
  readonly "/runs/{run_id}/rollouts/search": { query: Conditions & { text: string }; answer: SearchLine };
  readonly "/runs/{run_id}/rollouts.jsonl": { query: RunsRolloutsExportQuery; answer: string };
  readonly "/runs/{run_id}/jobs": { query: ListQuery; answer: Page<JobSummary> };
  readonly "/runs/{run_id}/jobs/{job_id}/events": { query: ListQuery; answer: Page<TimedEvent> };
  readonly "/runs/{run_id}/jobs/{job_id}/log": { query: object; answer: TrainerLog };
  readonly "/runs/{run_id}/tasks": {
    query: ListQuery &
      StepsQuery & {
        q?: string;
        sort?: "change" | "-change" | "mean" | "-mean" | "flat" | "-flat" | "-attempts" | "name";
      };
    answer: TaskSummaryPage;
  };
  readonly "/runs/{run_id}/tasks/{task}": { query: StepsQuery; answer: TaskDetail };
  /** `runs` has ids, each with a step or without: `<id>@8,<id>@9`. Without a step, the `last` newest ones count. */
  readonly "/compare": { query: { runs: string; split?: string; last?: number }; answer: Comparison };
  /** Waits at most `wait_ms` for a change after the number `after`. */
  readonly "/changes": { query: { after?: number; wait_ms?: number }; answer: Changes };
}

/** The conditions for attempts, all of which must hold. */
export type Conditions = Omit<RunsRolloutsExportQuery, "text">;

/** `after` is the id of the last item already seen. */
export interface ListQuery {
  after?: string;
  limit?: number;
}

/** A split, and two of its steps. */
export interface StepsQuery {
  split?: string;
  from?: number;
  to?: number;
}

/** `by` is a key of metadata, whose values the curve is told apart by. */
export interface CurveQuery extends StepsQuery, Omit<Conditions, "split"> {
  by?: string;
}

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
}

export interface CountedPage<Item> extends Page<Item> {
  /** How many items match the query. */
  total: number;
}

/** A run, with its counts and splits. */
export interface RunDetail {
  run: Run;
  /** `train` first. */
  splits: string[];
  groups: number;
  tasks: number;
  jobs: number;
  range: RewardRange;
}

/** What attempts of a run can be filtered and grouped by, in alphabetical order. */
export interface RunKeys {
  /** At most 1,000 values are counted. `top` has the values of the most attempts, at most eight, most first. */
  metadata: { name: string; values: number; more: boolean; top: string[] }[];
  metrics: string[];
}

/** The range of a reward scale: 0 to 1 if all rewards are in it, otherwise from the 2nd to the 98th percentile. */
export interface RewardRange {
  low: number;
  high: number;
}

/** An attempt, with its group. */
export type Rollout = Pick<RolloutLine, "id" | "group" | "step" | "split" | "task" | "name" | "attempt">;

type Column = (number | null)[];

/** A run by step, in columns: the values of one step have the same index in each column. Of more than 2,000 steps, a value combines several. */
export interface Curve {
  split: string;
  range: RewardRange;
  step: number[];
  /** The number of attempts with a reward. */
  n: number[];
  mean: Column;
  /** The lowest and the highest mean of the steps that a value combines. */
  min: Column;
  max: Column;
  /** The mean, over the groups with at least two attempts, of the population standard deviation of their rewards. */
  sd: Column;
  /** The number of rewards in each tenth of the range, lowest first. */
  cells: number[][];
  /** The share of the groups with at least two rewards, all of them the same, in the lower or the upper half of the range. */
  flat_low: Column;
  flat_high: Column;
  exceptions: number[];
  /** The number of tokens of the model in an attempt, if it is known: the median and the 90th percentile. */
  tokens: { p50: Column; p90: Column };
  /** The mean of each metric of attempts. */
  metrics: Record<string, Column>;
  /** The figures of completed jobs. Each value is the mean of one job, at the step that the job created. */
  training: { step: number[]; metrics: Record<string, Column> };
  /** The values of the key `by`, most attempts first, then the others together, then the attempts without it. */
  by?: { of: "value" | "others" | "none"; value: string; attempts: number; n: number[]; mean: Column }[];
}

/** A task of a run, over the steps of one split. */
export interface TaskSummary {
  task: string;
  name: string;
  groups: number;
  /** Those with a reward. */
  attempts: number;
  exceptions: number;
  /** The share of its groups with at least two rewards whose rewards are all the same; null if no group has two. */
  flat_share: number | null;
  /** At most 60 means of its rewards by step, oldest first. */
  trend: number[];
  /** Its newest value at or before `from`. */
  before: TaskValue | null;
  /**
   * Its newest value at or before `to`, with the change since `before`, which is null if the task was not seen after `from`. Null
   * if it only has exceptions.
   */
  now: TaskValue | null;
}

/** The steps between which a change is, with the split. */
export interface TaskRange {
  split: string;
  /** Null if each change is since the best step of its task. */
  from: number | null;
  to: number;
}

export interface TaskSummaryPage extends CountedPage<TaskSummary>, TaskRange {}

export interface TaskDetail extends TaskRange {
  summary: TaskSummary;
  /** By step, oldest first, at most the newest 500. The change is that since the value before. */
  values: TaskValue[];
}

/** The attempts at a task at one step: those of all of its groups there. */
export interface TaskValue {
  /** The id of the newest of these groups. */
  id: string;
  step: number;
  attempts: number;
  exceptions: number;
  mean: number | null;
  rewards: number[];
  /** The mean minus that of the earlier value; null without one, and if rewards are too large for a difference. */
  change: number | null;
  /** √(s₁²/n₁ + s₂²/n₂) with the sample variances of the rewards; null if one of the two has only one attempt. */
  error: number | null;
}

/** A group of attempts at one task, without their conversations. */
export interface GroupSummary {
  id: string;
  step: number;
  /** `train` for a group that only a job has. */
  split: string;
  /** `task`, `task_id`, `id` or `scenario_id` of the metadata, or a digest of the messages before the first choice. */
  task: string;
  name: string;
  attempts: number;
  exceptions: number;
  mean: number | null;
  /** The population standard deviation. */
  sd: number | null;
  rewards: number[];
  flags: Flag[];
  created_at: string | null;
  /** Those of the group itself; true counts as 1. */
  metrics: Record<string, number>;
  metadata: Record<string, string | number | boolean | null>;
}

export interface GroupDetail {
  summary: GroupSummary;
  /** In the order of `place`. */
  attempts: Attempt[];
  /** How the rewards became advantages: by the settings of this job, or by default as (reward - mean) / standard deviation. */
  advantages: { job: string | null; settings: Record<string, JobSetting> };
  /** The group as it was sent: a `TrajectoryGroup` of the training service. If an older version stored it, it may differ. */
  group: Record<string, unknown>;
  /** The previous and the next group of the same step and split, in the order in which they were logged. */
  neighbours: { before: string | null; after: string | null };
  /** The groups of the same task and split at all steps, including this one. */
  same_task: { id: string; step: number; mean: number | null; rewards: number[] }[];
}

export interface SearchLine {
  /** How many attempts have been looked at so far, of those that the other conditions leave. */
  read: number;
  of: number;
  /** The attempts that were found since the line before, newest first. */
  hits: SearchHit[];
}

export interface SearchHit {
  rollout: Rollout;
  part: "message" | "reasoning" | "tool" | "log" | "exception";
  /** What is before the first word that was found, the word, and what is after it. */
  excerpt: string[];
}

/** A training job, with a summary of its events. */
export interface JobSummary {
  id: string;
  kind: "rl" | "sft";
  status: "queued" | "running" | "completed" | "failed";
  /** How many times it was started. */
  attempts: number;
  groups: number;
  /** The number of attempts with a reward that it trains on. */
  sequences: number;
  updates: number;
  /** The step that it created; while it runs, the next step of its model. */
  made_step: number | null;
  /** The effective settings, if its trainer reports them; otherwise those that were sent. */
  settings: Record<string, JobSetting>;
  /** The data of its last `gradient_step` event. */
  last_update: Record<string, number>;
  created_at: string | null;
  started_at: string | null;
  took_ms: number | null;
  error_message: string | null;
}

/** A value, and where it comes from: the request, the defaults of the trainer, or other settings and the data. */
export interface JobSetting {
  value?: unknown;
  origin: "sent" | "default" | "derived";
}

export interface TimedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
  created_at: string | null;
}

/** The last lines of the standard error of a trainer. */
export interface TrainerLog {
  /** The attempt at the job that wrote them; 0 if the job was never started. */
  attempt: number;
  lines: string[];
  /** Whether earlier lines were omitted. */
  cut: boolean;
}

/** The ids of the runs that changed or were deleted, and the number to pass as `after` in the next request. */
export interface Changes {
  seq: number;
  runs: string[];
}

/** Two steps of a run, or up to four runs, compared with the first of them. */
export interface Comparison {
  split: string;
  /** In the order of the query. */
  items: {
    run_id: string;
    name: string;
    step: number;
    /** The first of the steps whose attempts count together, up to that step. */
    from: number;
    range: RewardRange;
    /**
     * The base model, the settings of the job that created the step as `job.<name>`, and the metadata of its groups and attempts as
     * `metadata.<name>`: the value, or how many there are if they differ.
     */
    settings: Record<string, unknown>;
    /**
     * `reward`, `exceptions` (the share of attempts), `tokens` (the median), `turns`, `flat` (the share of groups without a
     * signal), `metric.<name>`, and `training.<name>` of the job that created the step.
     */
    figures: Record<string, number | null>;
  }[];
  /** The mean rewards of each run by step, and those of its split `val` if that is another one; `time` in milliseconds since 1970. */
  curves: { run_id: string; split: string; step: number[]; time: Column; mean: Column }[];
  /** What the query names and the comparison leaves out. */
  refused: { of: string; why: "unknown-run" | "unknown-step" | "repeated" | "too-many" }[];
  /** How the mean reward changed from the first item to each of the others, in their order. */
  changes: ComparedChange[];
  /**
   * At most 200 tasks of the items after the first, by change × weight, those that fell most first, where the weight of a task is
   * its share of the attempts; then those without a change. The value of the first item is its newest one at or before that step.
   */
  tasks: { task: string; name: string; values: (TaskValue | null)[] }[];
  total: number;
  /** At most ten attempts, the worst of each task that fell by more than its error, farthest below its earlier mean first. */
  worst: { item: number; before: number; rollout: Rollout }[];
}

export interface ComparedChange {
  /** The change of the mean of all attempts: `same` and `mix` together. Null if it cannot be shown. */
  change: number | null;
  /** The mean of the changes of the tasks that both have; null if they have none in common. */
  same: number | null;
  /**
   * The standard error of `same`: the sample standard deviation of the tasks' changes, divided by √m for m tasks, because the attempts
   * at one task are not independent. Null if it cannot be estimated.
   */
  error: number | null;
  /** The rest of the change: other tasks were drawn, or with other numbers of attempts. */
  mix: number | null;
  /** The standard error of `mix`, from the sample variances of the attempts; null if a group has only one attempt. */
  mix_error: number | null;
  /** The number of tasks that both have, and how many of them fell or rose by more than their error. */
  tasks: number;
  fell: number;
  rose: number;
  /** The number of tasks without an earlier value, and of those that only the first item has. */
  new: number;
  gone: number;
  /** Why a change or its error is null. */
  why: "no-reward" | "ranges" | "too-large" | "no-common-task" | "one-task" | "equal" | null;
}

/** The names in a path: `run_id` of `/runs/{run_id}`. */
export type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never;
