/** @module-tag long */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MetFaults } from "@trainyard/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { shown, until } from "./lib.ts";
import { expectAll, logOf, messages, newModel, serve, statusOf, type Served } from "./served.ts";

// Several servers start in a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const faults = new MetFaults("a thread ends", "a thread hangs", "a thread ends five times");
afterAll(() => faults.tell());

describe("a thread that ends", () => {
  const large = { split: "val", trajectory_groups: [{ trajectories: [{ logs: ["x".repeat(3 * 2 ** 20)] }] }] };
  const chat = ({ inference }: Served) =>
    inference.chat.completions.create({ model: "demo/tiny", messages, n: 64, max_tokens: 1024, temperature: 2 });
  it.each<[string, (served: Served, model: string) => Promise<unknown>]>([
    ["store", ({ training }, model) => training.models.log(model, logOf(100_000))],
    ["store reader", ({ pages }, model) => shown(pages, "/runs/{run_id}/curve", { run_id: model })],
    ["body validation", ({ training }, model) => training.models.log(model, large)],
    ["tiny model", (served) => chat(served)],
  ])("fails the calls in it and is started again: %s", async (name, call) => {
    const served = await serve(temporaryFolder());
    const { id } = await newModel(served);
    await call(served, id);
    const calls = Array.from({ length: 20 }, () => statusOf(call(served, id)));
    served.endThread(name);
    for (const status of await Promise.all(calls)) expect([200, 503]).toContain(status);
    await until(
      async () => served.notices(new RegExp(`^The thread "${name}" has ended: .* is started again\\.$`)).length === 1,
    );
    expect(served.log.filter(({ event }) => event === "thread.restarted")).toHaveLength(1);
    faults.met("a thread ends");
    await expectAll(served);
    expect(await served.text("/_local/metrics")).toContain(`trainyard_thread_restarts_total{thread="${name}"} 1\n`);
  });

  it.each<[string, string, (served: Served, model: string) => Promise<unknown>]>([
    [
      "body validation",
      "log_v1_preview_models__model_id__log_post",
      ({ training }, model) => training.models.log(model, large),
    ],
    ["tiny model", "chat.completions.create", (served) => chat(served)],
  ])("is replaced if it hangs, and health says so while it lasts: %s", async (name, operation, call) => {
    const served = await serve(temporaryFolder());
    const { id } = await newModel(served);
    await call(served, id);
    const check = () =>
      served.training.health.systemCheck().then(
        () => "",
        (error: unknown) => JSON.stringify(Object(error).body),
      );
    served.hangThread(name);
    const calls = Array.from({ length: 3 }, () => statusOf(call(served, id)));
    const told = `The thread \\"${name}\\" has given no sign of life for`;
    await until(async () => (await check()).includes(told));
    // What needs no such thread goes on.
    await newModel(served);
    expect(await Promise.all(calls)).toEqual([503, 503, 503]);
    faults.met("a thread hangs");
    const notices = served.log.filter(({ event }) => event === "thread.restarted");
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        `^The thread "${name}" has ended: it gave no sign of life for \\d+ s during ${operation}\\. It is started again\\.$`,
      ),
    ]);
    expect(await check()).toBe("");
    await expectAll(served);
    expect(await served.text("/_local/metrics")).toContain(`trainyard_thread_restarts_total{thread="${name}"} 1\n`);
  });

  it("stores each event of a job once, although the thread that stores them ends again and again", async () => {
    const lines = Array.from({ length: 300 }, (_, step) => JSON.stringify({ type: "gradient_step", data: { step } }));
    const program = join(temporaryFolder(), "steps.mjs");
    const text = `const say = (line) => process.stdout.write(line + "\\n");
process.stdin.resume().on("end", async () => {
  say('{"type":"training_started","data":{"num_sequences":1}}');
  for (const line of ${JSON.stringify(lines)}) { say(line); await new Promise((done) => setTimeout(done, 5)); }
  say('{"type":"training_ended","data":{}}');
});`;
    writeFileSync(program, text);
    const served = await serve(temporaryFolder(), ["--trainer", `'${process.execPath}' '${program}'`]);
    const { id: model_id } = await newModel(served);
    const group = { trajectories: [{ reward: 1 }] };
    const { id } = await served.training.trainingJobs.createRl({ model_id, trajectory_groups: [group] });
    const countOf = async () => {
      const steps: unknown[] = [];
      for await (const event of served.training.trainingJobs.events.list(id, { limit: 100 }))
        steps.push(Object(event.data).step);
      return steps;
    };
    for (let time = 1; time <= 4; time++) {
      await until(async () => (await countOf().catch(() => [])).length > time * 40);
      served.endThread("store");
    }
    await until(
      async () => (await served.training.trainingJobs.get(id).catch(() => undefined))?.status === "completed",
    );
    expect(await countOf()).toEqual([undefined, ...lines.map((_, step) => step), undefined]);
    expect((await served.training.models.checkpoints.list(model_id)).data).toHaveLength(2);
  });

  it("five times within a minute ends the process, with a reason", async () => {
    const served = await serve(temporaryFolder());
    for (let time = 1; time <= 5; time++) {
      await statusOf(newModel(served));
      served.endThread("store");
      await until(async () => served.notices(/^The thread "store" has ended/).length >= time);
    }
    await served.gone;
    expect(served.exitCode()).toBe(1);
    faults.met("a thread ends five times");
    expect(served.log.at(-1)).toMatchObject({
      level: "error",
      message: expect.stringContaining("5 times within a minute"),
    });
  });
});
