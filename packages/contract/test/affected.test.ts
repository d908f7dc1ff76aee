import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { affected } from "../src/uses/affected.ts";
import { reportService } from "../src/service-report.ts";
import { compare } from "../src/compare/service.ts";
import { formats } from "../src/report/formats.ts";
import { readUses } from "../src/uses/uses.ts";
import { Draft, baseOf, tableOf, type TableRow } from "./draft.ts";

const root = join(import.meta.dirname, "../../..");
const consumer = join(root, "packages/samples/consumer");
const known = readUses(join(consumer, "uses.json"));

/** Lines of the consumer that edits of a service break. */
function broken({ of: service, lines }: TableRow): string[] {
  const base = baseOf(service);
  const draft = new Draft(service);
  for (const line of lines) draft.edit(line);
  const uses = known.services[service];
  if (uses === undefined) throw new Error(`The consumer does not use ${service}.`);
  const locations = new Set(compare(base, draft.document).flatMap((change) => affected(base, change, uses)));
  return [...locations].map((location) => lineAt(location));
}

/** The text of a line, because its number changes when the consumer is formatted again. */
function lineAt(location: string): string {
  const [file = "", line] = location.split(":");
  return readFileSync(join(consumer, file), "utf8").split("\n")[Number(line) - 1]?.trim() ?? "";
}

describe("a change lists the lines that it breaks", () => {
  it.each(
    tableOf(`
training: a call | await training.models.log(model.id, {
  set models.log/x-client-method models.record
inference: a call by path
  | const stream = await inference.chat.completions.create({
  | const { data, error } = await http.POST("/chat/completions", { body });
  set chat.completions.create/x-resend never
training: a field that is sent | reward: score,
  set Trajectory/properties/reward/type integer
training: a field that is read | newest?.step
  take Checkpoint/required step
training: a field deep in an answer | event.data.error_message
  set TrainingFailedEvent/properties/data/properties/error_message/type [string, "null"]
training: a field that is left out | base_model: "demo/tiny", | name, | project: "support-desk",
  add CreateModelRequest/required entity
auxiliary: a default that is relied on | end, | metrics: | project_id: | start,
  set FeedbackStatsRequest/properties/timezone/default CET
auxiliary: a new required field | return { json_path: path, aggregations: ["avg"] };
  set Metric/properties/plumage {type: string}
  add Metric/required plumage
training: a query parameter | order: "desc",
  remove models.checkpoints.list/parameters/3
training: a query parameter that is left out
  | for await (const checkpoint of training.models.checkpoints.list(model.id, {
  | for await (const event of training.trainingJobs.follow(id)) {
  set /components/parameters/Limit/required true
training: a path parameter
  | for await (const checkpoint of training.models.checkpoints.list(model.id, {
  | await training.models.log(model.id, {
  set /components/parameters/ModelId/schema/maxLength 3
inference: a header of an answer | const models = await inference.models.list();
  remove models.list/responses/200/headers/x-request-id
training: a variant that is added to what is read | event.data.error_message
  set TrainingPausedEvent {type: object, properties: {type: {const: paused}}}
  add TrainingJobEvent/oneOf {$ref: "#/components/schemas/TrainingPausedEvent"}
inference: a variant of what is sent that goes | role: "system"
  remove ChatMessage/oneOf/1
  remove ChatMessage/discriminator/mapping/system
training: a type that goes | type TrainingJob, | job: TrainingJob
  copy TrainingJob Job
  remove TrainingJob
  set trainingJobs.get/responses/200/content/application~1json/schema/$ref "#/components/schemas/Job"
  set trainingJobs.createRl/responses/200/content/application~1json/schema/$ref "#/components/schemas/Job"
  set trainingJobs.createSft/responses/200/content/application~1json/schema/$ref "#/components/schemas/Job"
`),
  )("$name", (row) => {
    expect(broken(row)).toEqual(row.cells.map((cell): unknown => expect.stringContaining(cell)));
  });

  it.each(
    tableOf(`
training: an operation that is not called
  remove models.delete
training: a field that is not sent
  remove CreateModelRequest/properties/return_existing
training: a field that is not read
  remove TrainingJob/properties/training_end
auxiliary: a default of a field that is sent
  set ObjectReadRequest/properties/metadata_only/default true
inference: a variant that is not sent
  remove ChatMessage/oneOf/5
  remove ChatMessage/discriminator/mapping/function
training: a type that is not named
  copy Health Wellness
  remove Health
  set health.check/responses/200/content/application~1json/schema/$ref "#/components/schemas/Wellness"
training: what is only widened for who sends it
  take Choice/required finish_reason
`),
  )("and lists none for $name", (row) => {
    expect(broken(row)).toEqual([]);
  });
});

it("prints them with the file that lists them", () => {
  const draft = new Draft("training");
  draft.take("Model/required", "id");
  const base = baseOf("training");
  const uses = { ...known, file: "consumer/uses.json" };
  const services = [reportService(root, "training", base, draft.document, { consumers: [uses] })];
  const report = { base: { name: "main", commit: "0123456789" }, services, idle: [] };
  const line = /Breaks src\/train\.ts:\d+, src\/train\.ts:\d+, src\/train\.ts:\d+ \(consumer\/uses\.json\)/;
  for (const format of ["text", "markdown", "github"]) expect(formats[format]?.(report)).toMatch(line);
});

it("rejects a file that lists no uses", () => {
  expect(() => readUses(join(root, "nowhere.json"))).toThrow("does not exist");
  expect(() => readUses(join(root, "package.json"))).toThrow("is not a list of uses. Make it with: npx trainyard uses");
});
