import type { Trajectory } from "@trainyard/training";

/** One answer to a task, with its reward. */
export interface Attempt {
  readonly question: string;
  readonly answer: string;
  readonly score: number;
}

export function toTrajectory({ question, answer, score }: Attempt): Trajectory {
  const trajectory: Trajectory = {
    messages_and_choices: [
      { role: "user", content: question },
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: answer },
      },
    ],
    reward: score,
  };
  trajectory.metrics = { words: answer.split(" ").length };
  return trajectory;
}
