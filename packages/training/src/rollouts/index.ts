/**
 * Rollouts: attempts at tasks, recorded as trajectories and gathered in groups, for `models.log` and
 * `trainingJobs.createRl`.
 *
 * @module
 */
export {
  type Attempt,
  type GatheredGroup,
  gatherGroups,
  type GatherOptions,
  type GatherProgress,
} from "./gather-groups.ts";
export { type ChatClient, recordTrajectory, type RolloutOutcome } from "./record-trajectory.ts";
