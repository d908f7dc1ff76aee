import { expect, it } from "vitest";
import { camelCase, pascalCase, variableName } from "./names.ts";

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

it.each([
  [["TRAINYARD", "apiKey"], "TRAINYARD_API_KEY"],
  [["TRAINYARD", "trainer-jobs"], "TRAINYARD_TRAINER_JOBS"],
  [["TRAINYARD", "look-up", "url"], "TRAINYARD_LOOK_UP_URL"],
  [["TRAINYARD", "GitHub.v3", "HTTPBearer"], "TRAINYARD_GIT_HUB_V3_HTTPBEARER"],
  [["TRAINYARD", "用", "apiKey"], "TRAINYARD___API_KEY"],
])("%j is the variable %s", (parts, variable) => expect(variableName(...parts)).toBe(variable));
