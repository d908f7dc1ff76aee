import type { TrajectoryException } from "../generated/schema.ts";

// A chain of causes may be circular.
const deepest = 5;

/** An error that a rollout threw, as stored in its group: with its stack, and those of its causes. */
export function exceptionOf(thrown: unknown): TrajectoryException {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown), traceback: "" };
  const stacks: string[] = [];
  for (let error: unknown = thrown; error instanceof Error && stacks.length < deepest; error = error.cause)
    stacks.push(error.stack ?? String(error));
  return { type: thrown.name, message: thrown.message, traceback: stacks.join("\nCaused by: ") };
}
