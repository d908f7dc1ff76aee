/** @module-tag long */
/** What one edit of one file reaches: the promise that the whole repository is built on. */
import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildValidators } from "@trainyard/codegen/validators";
import { generate } from "@trainyard/codegen/generate";
import { mockService } from "@trainyard/mock";
import { beforeAll, expect, it } from "vitest";
import { root as repository } from "../../src/places.ts";
import { repositoryOf } from "./repository.ts";

const { root, client } = repositoryOf("training");
const field = "plumage";

const run = promisify(execFile);
const group = (value: unknown) => ({ trajectories: [{ reward: 1 }], [field]: value });

beforeAll(async () => {
  for (const part of ["openapi/training", "openapi/common"]) {
    cpSync(join(repository, part), join(root, part), { recursive: true });
  }
  const file = join(root, "openapi/training/schemas/TrajectoryGroup.yaml");
  const text = readFileSync(file, "utf8");
  const property = `  ${field}:\n    type: integer\n    description: How many feathers the group has.\n`;
  writeFileSync(
    file,
    text.replace(/^properties:\n/m, (line) => line + property),
  );
  await generate(root);
  await buildValidators(root, "training");
});

/** The bundle as the client exports it. */
function bundle(): { components: { schemas: Record<string, { properties: object; required?: string[] }> } } {
  return JSON.parse(readFileSync(join(client, "src/generated/openapi.json"), "utf8"));
}

it("reaches the bundle", () => {
  expect(bundle().components.schemas["TrajectoryGroup"]?.properties).toHaveProperty(field, {
    type: "integer",
    description: "How many feathers the group has.",
  });
});

it("reaches the types, which permit it and check its type", async () => {
  const program = `import type { TrajectoryGroup } from "./generated/schema.ts";
export const good: TrajectoryGroup = { trajectories: [], ${field}: 3 };
// @ts-expect-error It is an integer.
export const bad: TrajectoryGroup = { trajectories: [], ${field}: "three" };
`;
  writeFileSync(join(client, "src/program.ts"), program);
  const compilerOptions = { noEmit: true, allowImportingTsExtensions: true, rootDir: "/", isolatedDeclarations: false };
  const settings = {
    extends: join(repository, "tsconfig.base.json"),
    compilerOptions: { ...compilerOptions, declaration: false, declarationMap: false },
    include: ["src/program.ts"],
  };
  writeFileSync(join(client, "tsconfig.json"), JSON.stringify(settings));
  await run(join(repository, "node_modules/.bin/tsc"), ["-p", client]);
});

it("reaches the validators", async () => {
  const { isTrajectoryGroup } = await import(/* @vite-ignore */ pathToFileURL(join(client, "dist/validators.js")).href);
  expect(isTrajectoryGroup(group(3))).toBe(true);
  expect(isTrajectoryGroup(group("three"))).toBe(false);
  expect(isTrajectoryGroup.faults(group("three"))).toMatchObject([{ loc: [field], type: "int_type" }]);
});

it("reaches the mock, which validates requests by it", async () => {
  const { baseUrl, apiKey, fetch } = mockService(bundle()).connect();
  const log = async (value: unknown) => {
    const response = await fetch(`${baseUrl}/v1/preview/models/6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30/log`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ split: "val", trajectory_groups: [group(value)] }),
    });
    return { status: response.status, body: await response.json() };
  };
  expect(await log(3)).toMatchObject({ status: 200 });
  expect(await log("three")).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "trajectory_groups", 0, field], type: "int_type" }] },
  });
});
