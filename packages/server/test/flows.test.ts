/** @module-tag long */
import { flowFiles, goThroughFlows } from "@trainyard/testing";
import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";
import { quickTrainer } from "./programs/quick-trainer.ts";

const server = sharedServer({
  keys: [{ key: "key-of-harbor", entity: "harbor" }],
  trainer: { command: quickTrainer() },
});

it("goes through every flow of the guides", async () => {
  const project = "harbor/support-desk";
  const object = { project_id: project, object_id: "agent-1-instructions" };
  await server.import("objects", [
    { ...object, val: "Be brief." },
    { ...object, val: "Be kind.", aliases: ["production"] },
  ]);
  await server.import("feedback", [
    {
      id: "f1",
      project_id: project,
      created_at: "2026-11-04T07:00:00Z",
      feedback_type: "score",
      payload: { output: { score: 1 } },
    },
  ]);
  await server.import("artifacts", [{ messages: [] }], { as: `artifact:///${project}/conversations:v3` });
  const url = await server.listen({ port: 0 });
  const servers = { training: url, inference: `${url}/inference/v1`, auxiliary: `${url}/auxiliary` };
  const output = await goThroughFlows(servers, { key: "key-of-harbor" });
  for (const file of flowFiles()) expect(output).toContain(`✓ ${file.split("/").at(-1)}`);
}, 120_000);
