import { baseModelName, train, type TinyModel } from "@trainyard/tiny/page";
import type { Trainer, TrainerLine } from "../jobs/protocol.ts";

/** The tiny model's trainer, in the same thread as the server. */
export function trainerHere(loadBase: () => Promise<TinyModel>): Trainer {
  return {
    check: () => undefined,
    async *run({ input, signal, log }) {
      const events = new ReadableStream<TrainerLine>({
        start: async (controller) => {
          try {
            await train(input, {
              baseModels: async (name) => (name === baseModelName ? loadBase() : undefined),
              emit: (type, data) => controller.enqueue({ type, data }),
              note: (line) => void log.write(line),
              signal,
            });
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      const reader = events.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    },
  };
}
