import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { affected } from "../src/affected.ts";
import { reportService } from "../src/service-report.ts";
import { compare } from "../src/compare/service.ts";
import { formats } from "../src/report/formats.ts";
import { readUses } from "../src/uses.ts";
import { Draft, baseOf } from "./draft.ts";

const root = join(import.meta.dirname, "../../..");
const consumers = join(root, "packages/samples/consumers");

function usesOf(consumer: string): ReturnType<typeof readUses> {
  return readUses(join(consumers, consumer, "uses.json"));
}

const owners: Readonly<Record<string, string>> = { training: "trainer", inference: "support-bot", auxiliary: "report" };

/** Lines of the consumer of a service that an edit breaks. */
function broken(service: string, edit: (draft: Draft) => void): string[] {
  const base = baseOf(service);
  const draft = new Draft(service);
  edit(draft);
  const uses = usesOf(owners[service] ?? "").services.get(service);
  if (uses === undefined) throw new Error(`No consumer uses ${service}.`);
  const locations = new Set(compare(base, draft.document).flatMap((change) => affected(base, change, uses)));
  return [...locations].map((location) => lineAt(join(consumers, owners[service] ?? ""), location));
}

/** The text of a line, because its number changes when the consumers are formatted again. */
function lineAt(folder: string, location: string): string {
  const [file = "", line] = location.split(":");
  return readFileSync(join(folder, file), "utf8").split("\n")[Number(line) - 1]?.trim() ?? "";
}

describe("a change lists the lines that it breaks", () => {
  it.each<[string, string, (draft: Draft) => void, unknown[]]>([
    [
      "a call",
      "training",
      (draft) => draft.set("models.log/x-client-method", "models.record"),
      ["await training.models.log(model.id, {"],
    ],
    [
      "a call by path",
      "inference",
      (draft) => draft.set("chat.completions.create/x-resend", "never"),
      [
        "const stream = await inference.chat.completions.create({",
        'const { data, error } = await http.POST("/chat/completions", { body });',
      ],
    ],
    [
      "a field that is sent",
      "training",
      (draft) => draft.set("Trajectory/properties/reward/type", "integer"),
      ["reward: score,"],
    ],
    [
      "a field that is read",
      "training",
      (draft) => draft.take("Checkpoint/required", "step"),
      [expect.stringContaining("newest?.step")],
    ],
    [
      "a field deep in an answer",
      "training",
      (draft) => draft.set("TrainingFailedEvent/properties/data/properties/error_message/type", ["string", "null"]),
      [expect.stringContaining("event.data.error_message")],
    ],
    [
      "a field that is left out",
      "training",
      (draft) => draft.list("CreateModelRequest/required").push("entity"),
      ['base_model: "demo/tiny",', "name,", 'project: "support-desk",'],
    ],
    [
      "a default that is relied on",
      "auxiliary",
      (draft) => draft.set("FeedbackStatsRequest/properties/timezone/default", "CET"),
      ["end,", expect.stringContaining("metrics:"), expect.stringContaining("project_id:"), "start,"],
    ],
    [
      "a new required field",
      "auxiliary",
      (draft) => {
        draft.set("Metric/properties/plumage", { type: "string" });
        draft.list("Metric/required").push("plumage");
      },
      ['return { json_path: path, aggregations: ["avg"] };'],
    ],
    [
      "a query parameter",
      "training",
      (draft) => draft.remove("models.checkpoints.list/parameters/3"),
      ['order: "desc",'],
    ],
    [
      "a query parameter that is left out",
      "training",
      (draft) => draft.set("/components/parameters/Limit/required", true),
      [
        "for await (const checkpoint of training.models.checkpoints.list(model.id, {",
        "for await (const event of training.trainingJobs.follow(id)) {",
      ],
    ],
    [
      "a path parameter",
      "training",
      (draft) => draft.set("/components/parameters/ModelId/schema/maxLength", 3),
      [
        "for await (const checkpoint of training.models.checkpoints.list(model.id, {",
        "await training.models.log(model.id, {",
      ],
    ],
    [
      "a header of an answer",
      "inference",
      (draft) => draft.remove("models.list/responses/200/headers/x-request-id"),
      ["const models = await inference.models.list();"],
    ],
    [
      "a variant that is added to what is read",
      "training",
      (draft) => {
        draft.set("TrainingPausedEvent", { type: "object", properties: { type: { const: "paused" } } });
        draft.list("TrainingJobEvent/oneOf").push({ $ref: "#/components/schemas/TrainingPausedEvent" });
      },
      [expect.stringContaining("event.data.error_message")],
    ],
    [
      "a variant of what is sent that goes",
      "inference",
      (draft) => {
        draft.remove("ChatMessage/oneOf/1");
        draft.remove("ChatMessage/discriminator/mapping/system");
      },
      [expect.stringContaining('role: "system"')],
    ],
    [
      "a type that goes",
      "training",
      (draft) => {
        draft.set("Job", draft.get("TrainingJob"));
        draft.remove("TrainingJob");
        for (const method of ["get", "createRl", "createSft"]) {
          draft.set(
            `trainingJobs.${method}/responses/200/content/application~1json/schema/$ref`,
            "#/components/schemas/Job",
          );
        }
      },
      [expect.stringContaining("import type"), expect.stringContaining("job: TrainingJob")],
    ],
  ])("%s", (_, service, edit, lines) => {
    expect(broken(service, edit)).toEqual(lines);
  });

  it.each<[string, string, (draft: Draft) => void]>([
    ["an operation that is not called", "training", (draft) => draft.remove("models.delete")],
    ["a field that is not sent", "training", (draft) => draft.remove("CreateModelRequest/properties/return_existing")],
    ["a field that is not read", "training", (draft) => draft.remove("TrainingJob/properties/training_end")],
    [
      "a default of a field that is sent",
      "auxiliary",
      (draft) => draft.set("ObjectReadRequest/properties/metadata_only/default", true),
    ],
    [
      "a variant that is not sent",
      "inference",
      (draft) => {
        draft.remove("ChatMessage/oneOf/5");
        draft.remove("ChatMessage/discriminator/mapping/function");
      },
    ],
    [
      "a type that is not named",
      "training",
      (draft) => {
        draft.set("Wellness", draft.get("Health"));
        draft.remove("Health");
        draft.set("health.check/responses/200/content/application~1json/schema/$ref", "#/components/schemas/Wellness");
      },
    ],
    ["what is only widened for who sends it", "training", (draft) => draft.take("Choice/required", "finish_reason")],
  ])("and lists none for %s", (_, service, edit) => {
    expect(broken(service, edit)).toEqual([]);
  });
});

it("prints them with the file that lists them", () => {
  const draft = new Draft("training");
  draft.take("Model/required", "id");
  const base = baseOf("training");
  const uses = { ...usesOf("trainer"), file: "trainer/uses.json" };
  const services = [reportService(root, "training", base, draft.document, { consumers: [uses] })];
  const report = { base: { name: "main", commit: "0123456789" }, services, idle: [] };
  const line = /Breaks src\/train\.ts:\d+, src\/train\.ts:\d+, src\/train\.ts:\d+ \(trainer\/uses\.json\)/;
  for (const format of ["text", "markdown", "github"]) expect(formats[format]?.(report)).toMatch(line);
});

it("rejects a file that lists no uses", () => {
  expect(() => readUses(join(root, "nowhere.json"))).toThrow("does not exist");
  expect(() => readUses(join(root, "package.json"))).toThrow("is not a list of uses. Make it with: npx trainyard uses");
});
