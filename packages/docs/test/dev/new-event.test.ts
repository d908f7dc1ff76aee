/** @module-tag long */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "@trainyard/codegen/generate";
import { pagesOf } from "../../src/reference/pages.ts";
import { serviceOf } from "../../src/reference/services.ts";
import { root as repository } from "../../src/places.ts";
import { beforeAll, expect, it } from "vitest";
import { repositoryOf } from "./repository.ts";

// A kind of event is added to the documents by an editor, and nothing else is edited by hand.
const { root, client } = repositoryOf("training");
const schemas = join(root, "openapi/training/schemas");
const bundle = join(client, "src/generated/openapi.json");

const pausedEvent = `title: Training paused
type: object
description: The training waits for hardware.
x-basis: proposed
required: [id, type, data]
properties:
  id: { type: string, format: uuid, description: The id of the event. }
  type: { type: string, const: training_paused, description: The kind of event. }
  data:
    type: object
    description: How long it is expected to wait.
    required: [for_seconds]
    properties:
      for_seconds: { type: integer, minimum: 1, description: Seconds. }
`;

beforeAll(async () => {
  cpSync(join(repository, "openapi"), join(root, "openapi"), { recursive: true });
  writeFileSync(join(schemas, "TrainingPausedEvent.yaml"), pausedEvent);
  const union = join(schemas, "TrainingJobEvent.yaml");
  const text = readFileSync(union, "utf8")
    .replace("  mapping:\n", "  mapping:\n    training_paused: TrainingPausedEvent.yaml\n")
    .replace("oneOf:\n", "oneOf:\n  - $ref: TrainingPausedEvent.yaml\n");
  writeFileSync(union, text);
  cpSync(join(repository, "packages/training/src"), join(client, "src"), { recursive: true });
  cpSync(join(repository, "packages/training/package.json"), join(client, "package.json"));
  await generate(root);
});

/** The results of trainer, store, list and `follow` for these output lines of a trainer. */
function walk(...events: { type: string; data: object }[]): Record<string, unknown> {
  const program = join(import.meta.dirname, "programs/walk-event.ts");
  const entry = join(client, "src/index.ts");
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const flags = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning"];
  return JSON.parse(execFileSync(process.execPath, [...flags, program, bundle, entry, lines], { encoding: "utf8" }));
}

const started = { type: "training_started", data: { num_sequences: 1 } };
const paused = { type: "training_paused", data: { for_seconds: 7 } };

it("passes from the trainer through the store to list and follow", () => {
  const { followed, listed, violations } = walk(started, paused, { type: "training_ended", data: {} });
  expect(listed).toEqual([started, paused, { type: "training_ended", data: expect.any(Object) }]);
  expect(followed).toEqual(listed);
  expect(violations).toEqual([]);
}, 60_000);

it("is typed, and has a page in the reference", () => {
  expect(readFileSync(join(client, "src/generated/schema.ts"), "utf8")).toContain("interface TrainingPausedEvent");
  const pages = pagesOf(serviceOf("training", readFileSync(bundle, "utf8"), bundle));
  const texts = [...pages].map(([address, draw]) => [address, draw().rest.text] as const);
  const naming = texts.filter(([, text]) => text.includes("training_paused")).map(([address]) => address);
  expect(naming).toContain("/reference/training/schemas/TrainingPausedEvent/");
  expect(naming).toContain("/reference/training/schemas/TrainingJobEvent/");
});
