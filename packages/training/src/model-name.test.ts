import { expect, it } from "vitest";
import { modelName, type ModelNameOptions } from "./model-name.ts";

const model = { entity: "team-a", project: "demo", name: "agent-1" };

it.each<[ModelNameOptions | undefined, string]>([
  [undefined, "artifact:///team-a/demo/agent-1"],
  [{}, "artifact:///team-a/demo/agent-1"],
  [{ step: 0 }, "artifact:///team-a/demo/agent-1:step0"],
  [{ step: 3 }, "artifact:///team-a/demo/agent-1:step3"],
  [{ step: "latest" }, "artifact:///team-a/demo/agent-1:latest"],
])("%o", (options, expected) => {
  expect(modelName(model, options)).toBe(expected);
});

it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21])("rejects the step %s", (step) => {
  expect(() => modelName(model, { step })).toThrow(RangeError);
});

it.each([
  { ...model, entity: "" },
  { ...model, project: "demo/other" },
  { ...model, name: "agent-1:step3" },
])("rejects what would name another model: %o", (wrong) => {
  expect(() => modelName(wrong)).toThrow(/must not be empty/);
});
