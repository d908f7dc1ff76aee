/** @module-tag long */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { listening, shown, until } from "./lib.ts";
import { canMount, fillDisk, smallDisk } from "./mounts.ts";
import { messages, expectAll, serve, trainerArgs, type Served } from "./served.ts";

// Several servers start in a test, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

// Every fault ends with its cause. A part of a running server fails, what can go on goes on, and then everything works.

const newModel = (served: Served) =>
  served.training.models.create({ project: "p", name: randomBytes(8).toString("hex"), base_model: "demo/tiny" });
const logOf = (bytes: number) => ({
  split: "val",
  trajectory_groups: [{ trajectories: [{ reward: 1, logs: [randomBytes(bytes).toString("base64")] }] }],
});
const statusOf = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => Object(error).status,
  );

/** Writes a trainer in the language of the shell, which says that it began, does this, and says that it ended. */
function writeTrainer(program: string, work: string): void {
  const say = (type: string, data: object) => `echo '${JSON.stringify({ type, data })}'`;
  const script = [say("training_started", { num_sequences: 1 }), work, say("training_ended", {})];
  writeFileSync(program, ["#!/bin/sh", "job=$(cat)", ...script, ""].join("\n"), { mode: 0o755 });
}

/** Logs until the disk is full. Returns how many logs were acknowledged, by model. */
async function logUntilFull(served: Served, id: string): Promise<number> {
  for (let logs = 0; ; logs++) {
    const failure: unknown = await served.training.models.log(id, logOf(100_000)).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) continue;
    expect(failure).toMatchObject({ status: 503, retryAfterMs: 5000 });
    return logs;
  }
}

describe.skipIf(!canMount)("a full disk", () => {
  it("stops writes alone, and says so once at its beginning and at its end", async () => {
    const { folder, resize } = smallDisk(12 * 1024);
    const served = await serve(join(folder, "data"));
    const { id } = await newModel(served);
    const logs = await logUntilFull(served, id);
    const { training, inference, local, status } = served;
    expect(await statusOf(training.models.checkpoints.list(id))).toBe(200);
    expect(await status("/_local/runs")).toBe(200);
    expect(await statusOf(training.health.check())).toBe(200);
    expect(await statusOf(inference.chat.completions.create({ model: "demo/tiny", messages, max_tokens: 2 }))).toBe(
      200,
    );
    expect(await statusOf(training.health.systemCheck())).toBe(503);
    resize(64 * 1024);
    await expectAll(served);
    const said = (name: string) => served.log.filter(({ event }) => event === name);
    await until(async () => said("storage.recovered").length > 0);
    expect(["storage.failed", "storage.recovered"].map((name) => said(name).length)).toEqual([1, 1]);
    const kept = [];
    for await (const log of local.logs.list({ model_id: id, limit: 100 })) kept.push(log);
    expect(kept).toHaveLength(logs);
  });

  it("does not keep the console from working later", async () => {
    const { folder, resize } = smallDisk(6 * 1024);
    const served = await serve(join(folder, "data"));
    fillDisk(folder);
    await until(async () => [200, 503].includes(await served.status("/_local/runs")));
    resize(64 * 1024);
    await expectAll(served);
  });

  it("lets a model be deleted, and the server stop and start, which frees space", async () => {
    const { folder } = smallDisk(12 * 1024);
    const data = join(folder, "data");
    const served = await serve(data);
    const [{ id }, { id: other }] = [await newModel(served), await newModel(served)];
    await logUntilFull(served, id);
    await served.stop();
    fillDisk(folder);
    const next = await serve(data);
    expect(await statusOf(next.training.health.check())).toBe(200);
    expect(await statusOf(next.training.models.delete(id))).toBe(200);
    rmSync(join(folder, "rest"));
    await expectAll(next);
    expect(await statusOf(next.training.models.log(other, logOf(2_000_000)))).toBe(200);
  });

  it("lets a model be deleted while the server runs, and takes logs again in the space that this frees", async () => {
    const { folder } = smallDisk(12 * 1024);
    const served = await serve(join(folder, "data"));
    const [{ id }, { id: other }] = [await newModel(served), await newModel(served)];
    await logUntilFull(served, id);
    expect(await statusOf(served.training.models.delete(id))).toBe(200);
    await until(async () => (await statusOf(served.training.models.log(other, logOf(1_000_000)))) === 200);
    await expectAll(served);
  });

  it("that a trainer fills with its files costs its own job", async () => {
    const { folder } = smallDisk(12 * 1024);
    const program = join(temporaryFolder(), "filling.sh");
    // It fills the disk for models whose job says so.
    const work = `case $job in *fill-the-disk*)
  out=$(printf '%s' "$job" | sed 's/.*"output":{"step":[0-9]*,"directory":"\\([^"]*\\)".*/\\1/')
  head -c 100000000 /dev/zero > "$out/weights" || exit 3
esac`;
    writeTrainer(program, work);
    const served = await serve(join(folder, "data"), ["--trainer", program]);
    const { id: model_id } = await newModel(served);
    const trajectory_groups = [{ trajectories: [{ reward: 1 }], metadata: { what: "fill-the-disk" } }];
    const { id } = await served.training.trainingJobs.createRl({ model_id, trajectory_groups });
    const job = await until(async () => {
      const found = await served.training.trainingJobs.get(id);
      return found.training_end !== null && found;
    });
    expect(job).toMatchObject({ status: "failed", error_message: expect.stringContaining("No space left on device") });
    await expectAll(served);
  });
});

/** Makes writes of a process fail (EFBIG) beyond so many bytes of a file. Returns false if the system has no such limit. */
const limitFiles = (pid: number, bytes: number | "unlimited"): boolean =>
  spawnSync("prlimit", [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]).status === 0;

it.skipIf(!limitFiles(process.pid, "unlimited"))(
  "a limit of the size of files stops writes until it is lifted",
  async () => {
    const served = await serve(temporaryFolder());
    const { id } = await newModel(served);
    limitFiles(served.pid, 2_500_000);
    await logUntilFull(served, id);
    expect(await statusOf(served.training.health.check())).toBe(200);
    limitFiles(served.pid, "unlimited");
    await expectAll(served);
  },
);

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
    expect(served.log.at(-1)).toMatchObject({
      level: "error",
      message: expect.stringContaining("5 times within a minute"),
    });
  });
});

describe("an upstream", () => {
  const completion = {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "demo/tiny",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const chunk = `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "demo/tiny", choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] })}\n\n`;
  const works: RequestListener = async (request, response) => {
    response.setHeader("Content-Type", "application/json");
    let body = "";
    for await (const part of request) body += String(part);
    const isStream = body !== "" && JSON.parse(body).stream === true;
    if (isStream) response.writeHead(200, { "Content-Type": "text/event-stream" }).end(`${chunk}data: [DONE]\n\n`);
    else if (request.method === "GET") response.end(JSON.stringify({ object: "list", data: [{ id: "demo/tiny" }] }));
    else response.end(JSON.stringify(completion));
  };

  /** A chat server, and a server that forwards to it. */
  async function start() {
    let listener = works;
    const upstream = createServer((request, response) => listener(request, response));
    const listen = (port: number) => listening(upstream, port);
    const port = await listen(0);
    const end = async () => {
      const closed = upstream.listening && once(upstream, "close");
      upstream.close();
      upstream.closeAllConnections();
      await closed;
    };
    onTestFinished(end);
    const served = await serve(temporaryFolder(), [
      "--upstream",
      `http://127.0.0.1:${port}/v1`,
      "--upstream-timeout",
      "1",
      ...trainerArgs,
    ]);
    const chat = (stream = false) => {
      const { completions } = served.inference.chat;
      const ask = { model: "demo/tiny", messages };
      return stream
        ? completions.create({ ...ask, stream: true }).then((chunks) => chunks.final())
        : completions.create(ask);
    };
    return { served, port, listen, end, chat, use: (next: RequestListener) => (listener = next) };
  }

  it("that refuses connections costs chat alone", async () => {
    const { served, port, listen, end, chat } = await start();
    await end();
    await expect(chat()).rejects.toMatchObject({
      status: 503,
      body: { error: { code: "overloaded", message: "The chat server cannot be reached." } },
    });
    const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
    expect(check).toMatchObject({ status: 503, body: { gpu_queue: { error: "The chat server cannot be reached." } } });
    expect(await statusOf(newModel(served))).toBe(200);
    expect(JSON.stringify(served.requests())).toContain(`http://127.0.0.1:${port}/v1 cannot be reached`);
    await listen(port);
    await expectAll(served);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["closes the socket after the first event", (to) => to.write(chunk, () => to.socket?.destroy())],
    ["closes the socket within an event", (to) => to.write(chunk + chunk.slice(0, 30), () => to.socket?.destroy())],
    ["ends its half of the connection within a stream", (to) => to.write(chunk, () => to.socket?.end())],
    ["stops sending within a stream", (to) => to.write(chunk)],
  ])("that %s ends the stream with an error, and one line of the log says which", async (_, broken) => {
    const { served, chat, use } = await start();
    use((_request, to) => broken(to.writeHead(200, { "Content-Type": "text/event-stream" })));
    const body = JSON.stringify({ model: "demo/tiny", messages, stream: true });
    const headers = { authorization: "Bearer key-of-harbor", "content-type": "application/json" };
    const response = await fetch(`${served.url}/inference/v1/chat/completions`, { method: "POST", headers, body });
    const text = await response.text();
    const last = JSON.parse(/data: (\{"error.*)\n\n$/.exec(text)?.[1] ?? "null");
    expect(last).toMatchObject({
      error: {
        code: "overloaded",
        message: expect.stringMatching(/^The chat server (ended its response early|sent nothing for 1000 ms)\.$/),
      },
    });
    const [line, ...others] = await until(async () => {
      const found = served.log.filter(({ outcome }) => outcome !== undefined);
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      outcome: "cut",
      reason: expect.stringContaining("http://127.0.0.1:"),
    });
    use(works);
    await chat(true);
    await expectAll(served);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["sends no answer", () => undefined, /did not respond within 1000 ms/],
    [
      "sends its headers a byte at a time",
      ({ socket }) => {
        const timer = setInterval(() => socket.write("H"), 100);
        socket.on("close", () => clearInterval(timer));
      },
      /cannot be reached|did not respond/,
    ],
    [
      "answers 600 MiB",
      (_, response) => {
        response.setHeader("Content-Type", "application/json");
        const part = Buffer.alloc(2 ** 20, " ");
        let left = 600;
        const more = (): void => {
          while (left-- > 0) if (!response.write(part)) return void response.once("drain", more);
          response.end();
        };
        more();
      },
      /sent more than 64 MiB|did not respond|ended its response early/,
    ],
    ["closes the socket before its answer", ({ socket }) => socket.destroy(), /cannot be reached/],
    [
      "answers half a body",
      (_, response) =>
        void response
          .writeHead(200, { "Content-Type": "application/json", "Content-Length": 100 })
          .write('{"id":', () => response.socket?.destroy()),
      /ended its response early/,
    ],
  ])("that %s costs the call, with 503", async (_, broken, message) => {
    const { served, chat, use } = await start();
    use(broken);
    const memory = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${served.pid}/status`, "utf8"))?.[1]) / 1024;
    const before = process.platform === "linux" ? memory() : 0;
    await expect(chat()).rejects.toMatchObject({
      status: 503,
      body: { error: { code: "overloaded", message: expect.stringMatching(message) } },
    });
    if (process.platform === "linux") expect(memory() - before).toBeLessThan(300);
    use(works);
    await expectAll(served);
  });

  it("without a trainer is not a failure, and both are named if both are away", async () => {
    const { port, end } = await start();
    const alone = await serve(temporaryFolder(), ["--upstream", `http://127.0.0.1:${port}/v1`]);
    expect((await alone.training.health.systemCheck()).gpu_queue).toMatchObject({
      success: true,
      error: null,
      configured: false,
    });
    await expectAll(alone, { isTrained: false });
    const both = await serve(temporaryFolder(), [
      "--upstream",
      `http://127.0.0.1:${port}/v1`,
      "--trainer",
      "no-such-trainer",
    ]);
    await end();
    const check: unknown = await both.training.health.systemCheck().catch((error: unknown) => error);
    expect(check).toMatchObject({
      body: { gpu_queue: { error: "The chat server cannot be reached. The trainer no-such-trainer was not found." } },
    });
  });
});

it.each(["moved", "removed", "replaced"])("data that are %s stop writes, which are not acknowledged", async (how) => {
  const folder = temporaryFolder();
  const [data, away] = [join(folder, "data"), join(folder, "away")];
  const served = await serve(data);
  const { id } = await newModel(served);
  if (how === "removed") rmSync(data, { recursive: true });
  else renameSync(data, away);
  if (how === "replaced") mkdirSync(data);
  expect(await statusOf(newModel(served))).toBe(503);
  expect(await statusOf(served.training.models.log(id, logOf(100)))).toBe(503);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  const error = (what: string) => ({ error: `The server's ${what} was removed, moved or replaced.` });
  expect(check).toMatchObject({
    status: 503,
    body: { database: error("data"), gpu_queue: error("folder of checkpoints") },
  });
  if (how === "removed") return;
  if (how === "replaced") rmdirSync(data);
  renameSync(away, data);
  await expectAll(served);
  await served.stop();
  expect((await serve(data)).notices(/was not closed cleanly/)).toEqual([]);
});

it("a folder of checkpoints that is removed is a fault of the system check, until it is there again", async () => {
  const folder = temporaryFolder();
  const [checkpoints, away] = [join(folder, "checkpoints"), join(folder, "away")];
  const served = await serve(join(folder, "data"), [...trainerArgs, "--checkpoints", checkpoints]);
  await expectAll(served);
  renameSync(checkpoints, away);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  const error = "The server's folder of checkpoints was removed, moved or replaced.";
  expect(check).toMatchObject({ status: 503, body: { database: { success: true }, gpu_queue: { error } } });
  renameSync(away, checkpoints);
  await expectAll(served);
});

it("a trainer that is removed fails its jobs, until it is there again", async () => {
  const program = join(temporaryFolder(), "trainer.sh");
  writeTrainer(program, ":");
  const served = await serve(temporaryFolder(), ["--trainer", program]);
  await expectAll(served);
  rmSync(program);
  const check: unknown = await served.training.health.systemCheck().catch((error: unknown) => error);
  expect(check).toMatchObject({ status: 503, body: { gpu_queue: { error: `The trainer ${program} was not found.` } } });
  const { id: model_id } = await newModel(served);
  const { id } = await served.training.trainingJobs.createRl({
    model_id,
    trajectory_groups: [{ trajectories: [{ reward: 1 }] }],
  });
  await until(async () => (await served.training.trainingJobs.get(id)).status === "failed");
  expect((await served.training.trainingJobs.events.list(id)).data.at(-1)?.type).toBe("training_failed");
  writeTrainer(program, ":");
  await expectAll(served);
});

it.each<[string, (file: string) => void]>([
  ["broken", (file) => writeFileSync(file, "[{")],
  ["emptied", (file) => truncateSync(file)],
  ["removed", (file) => rmSync(file)],
])("a key file that is %s leaves the earlier keys valid", async (_, spoil) => {
  const data = temporaryFolder();
  const served = await serve(data);
  const file = join(data, "keys.json");
  const good = readFileSync(file);
  spoil(file);
  await until(async () => served.notices(/were not reloaded/).length === 1);
  expect(served.notices(/were not reloaded/)[0]?.message).toContain(file);
  await expectAll(served);
  writeFileSync(file, JSON.stringify([...JSON.parse(String(good)), { key: "key-of-quay", entity: "quay" }]));
  await until(async () => {
    const response = await fetch(`${served.url}/v1/system-check`, { headers: { authorization: "Bearer key-of-quay" } });
    return response.status !== 401;
  });
  expect(served.notices(/were not reloaded/)).toHaveLength(1);
});

it.each([365, 400])("a clock that is set %i days ahead and back disturbs nothing", async (days) => {
  const served = await serve(temporaryFolder());
  await expectAll(served);
  const { now } = await served.local.clock.get();
  await served.local.clock.set({ now: new Date(Date.parse(now) + days * 86_400_000).toISOString() });
  await expectAll(served);
  await served.local.clock.set({ now: null });
  await expectAll(served);
});

describe("at the next start", () => {
  /** A folder with data, and how its server ends. */
  async function used(how: "kill" | "stop"): Promise<{ data: string; file: string }> {
    const data = temporaryFolder();
    const served = await serve(data);
    await expectAll(served);
    await served[how]();
    return { data, file: join(data, "trainyard.sqlite") };
  }

  it.each<["kill" | "stop", string, (file: string) => void]>([
    ["stop", "emptied", (file) => truncateSync(file)],
    ["stop", "missing", (file) => rmSync(file)],
    ["kill", "emptied", (file) => truncateSync(file)],
    ["kill", "missing", (file) => rmSync(file)],
  ])("(after a %s) a data file that is %s is refused, with the cure", async (how, _, spoil) => {
    const { data, file } = await used(how);
    const backup = readFileSync(file);
    spoil(file);
    const refused = await serve(data);
    expect(refused.exitCode()).toBe(1);
    expect(refused.log).toHaveLength(1);
    expect(refused.log[0]).toMatchObject({
      level: "error",
      message: expect.stringMatching(/trainyard\.sqlite is (empty|missing), but .* Restore a backup .*--data/),
    });
    writeFileSync(file, backup);
    await expectAll(await serve(data));
  });

  it("a damaged lock does not matter", async () => {
    const { data } = await used("stop");
    writeFileSync(join(data, "owner.lock"), randomBytes(5000));
    const served = await serve(data);
    await expectAll(served);
    const second = await serve(data);
    expect(second.log[0]?.message).toMatch(/is in use by process/);
    await expectAll(served);
  });

  it("a damaged write-ahead log is recovered up to the damage, and what is lost is counted", async () => {
    const data = temporaryFolder();
    const first = await serve(data);
    await expectAll(first);
    // The deletions of `expectAll` empty the write-ahead log.
    for (let models = 0; models < 20; models++) await newModel(first);
    await first.kill();
    const file = join(data, "trainyard.sqlite");
    const handle = openSync(`${file}-wal`, "r+");
    const frames = Math.floor((statSync(`${file}-wal`).size - 32) / 8216);
    const at = 32 + Math.floor(frames * 0.8) * 8216 + 5000;
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, at);
    writeSync(handle, Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at);
    closeSync(handle);
    const served = await serve(data);
    // The log and the address, which `serve` waits for, come through pipes of their own.
    const [notice] = await until(async () => {
      const found = served.notices(/is damaged: recovered/);
      return found.length > 0 && found;
    });
    const [, recovered, all] =
      /recovered (\d+) of (\d+) frames; what came after them is lost\.$/.exec(notice?.message ?? "") ?? [];
    expect(Number(all)).toBe(frames);
    expect(Number(recovered)).toBeLessThanOrEqual(Math.floor(frames * 0.8));
    expect(Number(recovered)).toBeGreaterThan(0);
    await expectAll(served);
    // What a kill alone leaves is whole.
    await served.kill();
    expect((await serve(data)).notices(/is damaged/)).toEqual([]);
  });
});
