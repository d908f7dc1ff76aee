import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import type ts from "@trainyard/codegen/compiler";
import { afterAll, describe, expect, it } from "vitest";
import { collectUses } from "../../src/uses/collect.ts";
import type { ServiceUses, Uses } from "../../src/uses/uses.ts";
import { javascript, typescript } from "./places.ts";
import { consumer, pathOf, programWith } from "./program.ts";

const source = `import { createTrainingClient, type Model, type Trajectory } from "@trainyard/training"; import { createTrainingHttp } from "@trainyard/training/http";
const client = createTrainingClient();
const { models } = client;
const make = models.create;
const shared = { project: "p", base_model: "b" };
const trajectory = (reward: number) => ({ reward, logs: ["a"] });
function show({ name, ...rest }: Model, key: "id"): void {
  console.log(name, rest[key]);
}
export async function run(): Promise<void> {
  const model = await make({ ...shared, name: "n" });
  show(model, "id");
  const many: Trajectory[] = [1, 2].map(trajectory);
  many[0]!.reward! += 1;
  await models.log(model["id"], { split: "s", trajectory_groups: [{ trajectories: many }] });
  const options = { query: { limit: 2 }, path: { model_id: model.id } };
  const http = createTrainingHttp();
  const { data } = await http.GET("/v1/preview/models/{model_id}/checkpoints", { params: options });
  console.log(data?.has_more, (await http.GET("/v1/nowhere" as "/v1/health")).data?.status);
  await client.trainingJobs.wait(model.id);
}
`;

const probe = pathOf("probe.ts");
const places = new Map([
  [pathOf("places.ts"), typescript],
  [pathOf("places.js"), javascript],
]);
const program = programWith(new Map([[probe, source], ...places]));

function filesBelow(folder: string): ts.SourceFile[] {
  const isKept = ({ fileName }: ts.SourceFile): boolean => fileName !== probe && !places.has(fileName);
  return program.getSourceFiles().filter((file) => file.fileName.startsWith(folder + sep) && isKept(file));
}

function lines(locations: ServiceUses["sent"] | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(locations ?? {}).map(([name, all]) => [
      name,
      all.map((location) => location.split(":")[1]).join(" "),
    ]),
  );
}

it("finds the uses in the uses.json of the consumer", () => {
  const uses = collectUses(program, filesBelow(consumer), consumer);
  const kept: Uses = JSON.parse(readFileSync(join(consumer, "uses.json"), "utf8"));
  // The contract's version changes without a change of the consumer.
  for (const { services } of [uses, kept])
    for (const service of Object.values(services)) delete service.contractVersion;
  expect(uses, "stale: run trainyard uses in packages/samples/consumer").toEqual(kept);
});

describe("uses in every syntax of TypeScript", () => {
  const file = program.getSourceFile(probe);
  const uses = collectUses(program, file === undefined ? [] : [file], dirname(probe)).services["training"];

  it("are found for calls: by a detached method, by path, by a helper", () => {
    expect(lines(uses?.operations)).toEqual({
      "models.create": "11",
      "models.log": "15",
      "models.checkpoints.list": "18",
      "trainingJobs.get": "20",
      "trainingJobs.events.list": "20",
    });
  });

  it("are found for sent fields: through variables, spreads, functions and assignments", () => {
    expect(lines(uses?.sent)).toEqual({
      "CreateModelRequest.project": "5",
      "CreateModelRequest.base_model": "5",
      "CreateModelRequest.name": "11",
      "Trajectory.reward": "6 14",
      "Trajectory.logs": "6",
      "LogRequest.split": "15",
      "LogRequest.trajectory_groups": "15",
      "TrajectoryGroup.trajectories": "15",
      "models.checkpoints.list query limit": "16",
    });
  });

  it("are found for read fields: in patterns, by key, after optional chaining", () => {
    expect(lines(uses?.read)).toEqual({
      "Model.name": "7",
      "Model.id": "8 15 16 20",
      "Trajectory.reward": "14",
      "CheckpointPage.has_more": "19",
      "Health.status": "19",
    });
  });

  it("are found for named types", () => {
    expect(lines(uses?.types)).toEqual({ Model: "1 7", Trajectory: "1 13" });
  });

  it("have the version that the program is compiled against", () => {
    expect(uses?.contractVersion).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

it.each([...places])("finds exactly the fields that the lines of %s are marked with", (path, text) => {
  const file = program.getSourceFile(path);
  expect([...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]).toEqual([]);
  const uses = collectUses(program, file === undefined ? [] : [file], dirname(path)).services["training"];
  const found = [uses?.sent, uses?.read].flatMap((kind) =>
    Object.entries(kind ?? {}).flatMap(([name, all]) => all.map((place) => `${place.split(":")[1]} ${name}`)),
  );
  const marked = text.split("\n").flatMap((line, index) => {
    const [, names] = / \/\/ ([A-Z].*)$/.exec(line) ?? [];
    return names?.split(", ").map((name) => `${index + 1} ${name}`) ?? [];
  });
  expect(marked.length).toBeGreaterThan(40);
  expect([...new Set(found)].toSorted()).toEqual(marked.toSorted());
});

describe("the command", () => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-uses-test-"));
  const run = promisify(execFile);
  const program = `import { run } from ${JSON.stringify(import.meta.resolve("../../src/uses/command.ts"))};
    import { startCommand } from ${JSON.stringify(import.meta.resolve("@trainyard/terminal/command"))};
    await startCommand(${JSON.stringify(import.meta.resolve("../../src/index.ts"))}, () => run(process.argv.slice(2)));`;
  const command = (...args: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, ["--conditions=@trainyard/source", "--input-type=module", "--eval", program, "", ...args], {
      cwd: consumer,
    });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("writes the file", { tags: ["long"] }, async () => {
    const out = join(folder, "uses.json");
    const { stdout } = await command("--out", out);
    expect(stdout).toBe(`${out}: 10 operations, 40 fields sent, 28 fields read\n`);
    const [written, kept]: Uses[] = [out, join(consumer, "uses.json")].map((file) =>
      JSON.parse(readFileSync(file, "utf8")),
    );
    for (const service of Object.values(kept?.services ?? {})) delete service.contractVersion;
    expect(written).toMatchObject(kept ?? {});
    expect(readFileSync(out, "utf8")).toContain('"Metric": ["src/report.ts:1", "src/report.ts:5"]\n');
  });

  it("reports what it cannot read", { tags: ["long"] }, async () => {
    await expect(command("--project", "nowhere.json")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^nowhere\.json cannot be read: .*\n$/),
    });
    await expect(command("--projekt", "x")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--projekt"),
    });
  });
});
