/**
 * Rollouts: attempts at tasks, recorded as trajectories and gathered in groups, for `models.log` and
 * `trainingJobs.createRl`.
 *
 * @module
 */
export {
  type Advantages,
  advantagesOf,
  type AdvantageSettings,
  defaultAdvantages,
  type Spread,
  spreadOf,
} from "./advantages.ts";
export {
  type Attempt,
  type FinishedGroup,
  type GatheredGroup,
  type GatherEachOptions,
  gatherGroups,
  type GatherGroups,
  type GatherOptions,
  type GatherProgress,
  type Rollout,
  type Tasks,
} from "./gather-groups.ts";
export { type ChatClient, recordTrajectory, type RolloutOutcome } from "./record-trajectory.ts";
export { rewardsDiffer } from "./rewards-differ.ts";
