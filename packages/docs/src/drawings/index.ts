/** The drawings of the site's pages, by name, as SVG. */
import { architecture } from "./architecture.ts";
import { drawGroup, workedGroup } from "./group.ts";
import { lifeOfAJob, type JobFacts } from "./job.ts";
import { loop } from "./loop.ts";
import { retry } from "./retry.ts";
import { runOf, type Measured } from "./runs.ts";
import { drawScores, type Scores } from "./scores.ts";
import { streamOf } from "./stream.ts";
import { svgOf } from "./svg.ts";

export { workedGroup } from "./group.ts";
export type { JobFacts } from "./job.ts";
export type { Measured } from "./runs.ts";
export type { Scores } from "./scores.ts";

/** The data of the drawings. */
export interface DrawingData {
  readonly job: JobFacts;
  /** An example of a stream: text/event-stream. */
  readonly stream: string;
  readonly measured: Measured;
  readonly scores: Scores;
}

/** All drawings, by name. */
export function drawAll({ job, stream, measured, scores }: DrawingData): Record<string, string> {
  const drawings = {
    architecture,
    loop,
    retry,
    job: lifeOfAJob(job),
    stream: streamOf(stream),
    group: drawGroup(workedGroup(measured)),
    "as-wanted": runOf(measured, "as-wanted", "A reward for the wanted answer", "maybe"),
    "reward-hacking": runOf(
      measured,
      "reward-hacking",
      "Reward hacking: the reward rises, and the answers become useless",
    ),
    scores: drawScores(scores),
    collapse: runOf(measured, "collapse", "Collapse: one step that is too large"),
  };
  return Object.fromEntries(
    Object.entries(drawings).map(([name, drawing]) => [name, svgOf(`drawing-${name}`, drawing)]),
  );
}
