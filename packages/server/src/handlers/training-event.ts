import { isObject } from "@trainyard/core/validation";
import type { TrainingJobEvent } from "@trainyard/training";
import type { EventRecord } from "../store/commands/jobs.ts";

/** An event as the contract has it. What the store holds was judged when it came; here it is read back. */
export function trainingEvent({ id, type, data }: EventRecord): TrainingJobEvent {
  if (!isObject(data)) throw new TypeError(`The event ${id} has no data.`);
  switch (type) {
    case "training_started":
      return { id, type, data: { num_sequences: Number(data["num_sequences"]) } };
    case "gradient_step":
      return { id, type, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Number(value)])) };
    case "training_ended":
      return { id, type, data };
    case "training_failed":
      return { id, type, data: { error_message: String(data["error_message"]) } };
    default:
      throw new TypeError(`The event ${id} is of an unknown type, ${type}.`);
  }
}
