/**
 * Evaluates checkpoints at held-out tasks, and says whether one is better than another.
 *
 * @module
 */
export { compare, type Compared, type Comparison } from "./compare.ts";
export {
  evaluate,
  type EvaluatedTask,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationAttempt,
} from "./evaluate.ts";
export { passAtK } from "./pass-at-k.ts";
