import { expect, it } from "vitest";
import { checkTaskInputs } from "./task-inputs.ts";

const folders = ["scripts", "packages/samples"];
const faultsOf = (...inputs: string[]) => [
  ...checkTaskInputs("turbo.json", JSON.stringify({ tasks: { build: {}, check: { inputs } } }), folders),
];

it("rejects an input that every run writes", () => {
  expect(faultsOf("$TURBO_ROOT$/scripts/**")).toEqual([
    'turbo.json: check has scripts/.turbo/turbo-test.log as an input, by $TURBO_ROOT$/scripts/**. Each run writes that file, so the task would always run. Leave it out by a line that begins with "!".',
  ]);
  expect(faultsOf("$TURBO_ROOT$/packages/samples/**/*.{ts,json}")).toHaveLength(1);
});

it("accepts inputs that exclude it, or that list only sources", () => {
  expect(
    faultsOf("src/**", "$TURBO_ROOT$/scripts/**", "!$TURBO_ROOT$/scripts/{.turbo,.cache,node_modules}/**"),
  ).toEqual([]);
  expect(faultsOf("$TURBO_ROOT$/scripts/lib/**", "$TURBO_ROOT$/packages/*/src/**", "$TURBO_DEFAULT$")).toEqual([]);
});
