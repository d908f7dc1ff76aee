import { arrow, box, label, type Drawing } from "./svg.ts";

/** The facts of the documents about jobs. */
export interface JobFacts {
  readonly states: readonly string[];
  readonly events: readonly string[];
}

const drawn: JobFacts = {
  states: ["queued", "running", "completed", "failed"],
  events: ["training_started", "gradient_step", "training_ended", "training_failed"],
};

/**
 * The drawing of a job's life.
 *
 * @throws Error if the documents have other states or events than the drawing
 */
export function lifeOfAJob(facts: JobFacts): Drawing {
  for (const key of ["states", "events"] as const)
    if (facts[key].toSorted().join() !== drawn[key].toSorted().join())
      throw new Error(
        `packages/docs/src/drawings/job.ts draws the ${key} ${drawn[key].join(", ")}; the document has ${facts[key].join(", ")}. Add what is missing to the drawing and to its text.`,
      );
  return {
    title: "Life of a job",
    text: "A new job is queued. When its turn comes, it is running, and its first event is training_started. Each step of the training adds an event gradient_step. It ends as completed, with the event training_ended and one new checkpoint, or as failed, with the event training_failed. A running job returns to queued when the server stops or its worker is lost. A queued job fails at once when its model is deleted.",
    width: 680,
    height: 330,
    parts: [
      arrow("M10 105H56"),
      label(30, 92, "created", { kind: "note" }),
      box(60, 75, 120, 60, ["queued"]),
      arrow("M180 95H286"),
      label(233, 84, "`training_started`", { kind: "small" }),
      arrow("M290 118H184", "dashed"),
      label(237, 140, ["worker lost"], { kind: "note" }),
      box(290, 75, 120, 60, ["running"], "strong"),
      arrow("M330 75V40H370V71"),
      label(350, 28, "`gradient_step`", { kind: "small" }),
      arrow("M410 95H526"),
      label(468, 84, "`training_ended`", { kind: "small" }),
      box(530, 75, 140, 60, ["completed"], "good"),
      label(600, 160, ["one new checkpoint"], { kind: "note" }),
      arrow("M350 135V246"),
      label(360, 200, "`training_failed`", { anchor: "start", kind: "small" }),
      box(290, 250, 120, 60, ["failed"], "bad"),
      arrow("M120 135V280H286"),
      label(130, 230, ["model deleted"], { anchor: "start", kind: "note" }),
      label(430, 275, ["no checkpoint;", "error_message says why"], { anchor: "start", kind: "note" }),
    ],
  };
}
