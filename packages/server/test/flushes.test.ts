/** @module-tag long */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";
import { startProcess } from "./own-process.ts";
import { ended, newModel, script, scriptedTrainer } from "./trainers.ts";

const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

it.skipIf(!canTrace)("has a checkpoint on disk before its job is completed", async () => {
  const [data, out] = [temporaryFolder(), join(temporaryFolder(), "trace")];
  const server = await startProcess(data, scriptedTrainer.command);
  onTestFinished(() => server.kill());
  const model = await newModel(server.training);
  const calls = "trace=fsync,fdatasync,rename,renameat,renameat2";
  const tracer = spawn("strace", ["-f", "-y", "-s", "500", "-e", calls, "-o", out, "-p", String(server.pid)]);
  let said = "";
  tracer.stderr.on("data", (part) => (said += String(part)));
  await until(async () => said.includes("attached"));
  const actions = script(
    ["start"],
    ["folder", "deep"],
    ["write", "weights", "1"],
    ["write", "deep/more", "2"],
    ["link", "latest", "weights"],
    ["end"],
  );
  const { id } = await server.training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: actions });
  expect(await ended(server.training, id)).toMatchObject({ status: "completed" });
  tracer.kill("SIGINT");
  await once(tracer, "close");
  const lines = readFileSync(out, "utf8").split("\n");
  const checkpoints = join(data, "checkpoints");
  const output = join(checkpoints, "under-way", `${id}-1`, "output");
  const flush = (path: string) => lines.findIndex((line) => line.includes(`fsync(`) && line.includes(`<${path}>`));
  const renamed = lines.findIndex(
    (line) => line.includes("rename") && line.includes(output) && line.includes(`${model.id}/step1`),
  );
  const order = [
    ...[flush(join(output, "weights")), flush(join(output, "deep/more"))].toSorted((one, other) => one - other),
    flush(output),
    renamed,
    flush(join(checkpoints, model.id)),
    flush(checkpoints),
    lines.findLastIndex((line) => /f(data)?sync\(/.test(line) && line.includes("trainyard.sqlite-wal")),
  ];
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(flush(join(output, "deep"))).toBeGreaterThan(flush(join(output, "deep/more")));
  expect(flush(join(output, "deep"))).toBeLessThan(flush(output));
});
