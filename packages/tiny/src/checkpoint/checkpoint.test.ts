import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { roughModel, sameWeights } from "../../test/lib.ts";
import { aboutFile, CheckpointError, readAbout, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";

const about = {
  model: { entity: "harbor", project: "support-desk", name: "agent-1" },
  step: 3,
  base_model: "demo/tiny",
};
const model = roughModel();
let root = "";
let good = "";
let copies = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "tiny-"));
  good = join(root, "good");
  await mkdir(good);
  await writeCheckpoint(good, model, about);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function copy(): Promise<string> {
  const directory = join(root, `copy-${copies++}`);
  await cp(good, directory, { recursive: true });
  return directory;
}

it("reads what was written, and leaves no other file in the folder", async () => {
  const read = await readCheckpoint(good);
  expect(sameWeights(read.model, model)).toBe(true);
  expect(read.about).toMatchObject({ format: 2, ...about });
  expect((await readdir(good)).sort()).toEqual([aboutFile, "weights.f32"]);
});

it("replaces the content of the folder", async () => {
  const directory = await copy();
  const other = roughModel(2);
  await writeCheckpoint(directory, other, { ...about, step: 4 });
  const read = await readCheckpoint(directory);
  expect(read.about.step).toBe(4);
  expect(sameWeights(read.model, other)).toBe(true);
});

it("rejects a checkpoint that is damaged in any way, with the file and the cure", async () => {
  const damages: Record<string, (directory: string) => Promise<unknown>> = {
    "weights.f32 is not there": (directory) => rm(join(directory, "weights.f32")),
    "weights.f32 has 1000 bytes": (directory) => truncate(join(directory, "weights.f32"), 1000),
    "weights.f32 has 0 bytes": (directory) => truncate(join(directory, "weights.f32"), 0),
    "weights.f32 is not what was written": (directory) => flip(join(directory, "weights.f32"), 4_000_001),
    "checkpoint.json is not valid JSON": (directory) => truncate(join(directory, aboutFile), 20),
    "checkpoint.json is of format 3": (directory) => change(directory, { format: 3 }),
    "checkpoint.json has no step": (directory) => change(directory, { step: -1 }),
    "checkpoint.json has no base_model": (directory) => change(directory, { base_model: undefined }),
    "checkpoint.json does not name its model": (directory) => change(directory, { model: { entity: "harbor" } }),
    "checkpoint.json has no model": (directory) => change(directory, { model: 5 }),
    "checkpoint.json has no weights": (directory) => change(directory, { weights: null }),
    "checkpoint.json does not name the file": (directory) => change(directory, { weights: { file: "../x" } }),
    "checkpoint.json has no checksum": (directory) => change(directory, { weights: { file: "weights.f32" } }),
  };
  for (const [message, damage] of Object.entries(damages)) {
    const directory = await copy();
    await damage(directory);
    const error: unknown = await readCheckpoint(directory).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(CheckpointError);
    expect(error).toMatchObject({ kind: "damaged", message: expect.stringContaining(join(directory, message)) });
    expect(error).toMatchObject({ message: expect.stringContaining("Delete this checkpoint") });
    await rm(directory, { recursive: true });
  }
});

it("rejects the weights of a model of another size", async () => {
  const directory = await copy();
  const { createHash } = await import("node:crypto");
  const bytes = Buffer.alloc(16);
  await writeFile(join(directory, "weights.f32"), bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await change(directory, { weights: { file: "weights.f32", bytes: 16, sha256 } });
  await expect(readCheckpoint(directory)).rejects.toThrow("is of a model of another size");
});

it("reports a folder without a checkpoint", async () => {
  const error: unknown = await readAbout(root).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "CheckpointError", kind: "missing" });
});

// The program writes one checkpoint after the other into the same folder, and is killed in the middle of it.
it("is complete or absent if the writer is killed at any time", { timeout: 120_000, tags: ["long"] }, async () => {
  const program = fileURLToPath(new URL("../../test/programs/write-checkpoints.ts", import.meta.url));
  const directory = await copy();
  for (let round = 0; round < 4; round++) {
    const args = ["--conditions=@trainyard/source", program, directory];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const end = performance.now() + 11 * round;
    while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    await once(child, "close");
    try {
      const read = await readCheckpoint(directory);
      // What it says and the weights are of one and the same writing.
      expect(read.model.weights[0]).toBe(read.about.step);
    } catch (error) {
      expect(error).toMatchObject({ kind: "missing" });
    }
  }
});

async function flip(file: string, offset: number): Promise<void> {
  const handle = await open(file, "r+");
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, offset);
  await handle.write(Uint8Array.of((buffer[0] ?? 0) ^ 1), 0, 1, offset);
  await handle.close();
}

async function change(directory: string, changes: object): Promise<void> {
  const file = join(directory, aboutFile);
  const value: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...value, ...changes }));
}
