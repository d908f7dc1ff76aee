import { expect, it } from "vitest";
import { camelCase, pascalCase } from "./names.ts";

it("converts names to TypeScript's style", () => {
  expect(pascalCase("models.checkpoints.list")).toBe("ModelsCheckpointsList");
  expect(pascalCase("trainingJobs.createSft")).toBe("TrainingJobsCreateSft");
  expect(camelCase("training_job_id")).toBe("trainingJobId");
  expect(camelCase("chat-completions")).toBe("chatCompletions");
});

it.each([
  ["APIKeys", "apiKeys"],
  ["ID", "id"],
  ["LIST_KEYS", "listKeys"],
  ["getDNSRecords", "getDNSRecords"],
  ["x_y", "xY"],
  ["Mañana", "manana"],
  ["用户", ""],
])("%s becomes %s", (name, expected) => {
  expect(camelCase(name)).toBe(expected);
});
