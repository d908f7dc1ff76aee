import fc from "fast-check";
import { it } from "vitest";
import { sharedServer } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";
import { stories } from "./stories.ts";

// Random sequences of commands by two teams, run on the server and on a reference model of it. Both must agree after each
// step.
const server = sharedServer({ trainer: { command: quickTrainer() } });

it("agrees with a reference model, whatever two teams do", async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const entities = [server.fresh(), server.fresh()] as const;
      for (const entity of entities) {
        await server.import("artifacts", [{ messages: [] }], { as: `artifact:///${entity}/p/qa:v1` });
      }
      const clients = Object.fromEntries(entities.map((entity) => [entity, server.clients(entity).training]));
      await fc.asyncModelRun(
        () => ({ model: { models: [], jobs: [], keys: new Map(), tuned: new Map() }, real: { clients, entities } }),
        story,
      );
    }),
    { numRuns: Number(process.env["FUZZ_STORIES"] ?? 8) },
  );
}, 600_000);
