import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServerEvent } from "../src/index.ts";
import { logOf, modelOf, run } from "./commands.ts";
import { temporaryFolder } from "./folders.ts";
import { makeServer, until } from "./lib.ts";
import { ended } from "./trainers.ts";

it("saves and restores one moment, while writers and jobs run", { tags: ["long"], timeout: 300_000 }, async () => {
  const data = temporaryFolder();
  const target = join(temporaryFolder(), "backup");
  await run("keys", "add", "team-0", "--data", data);
  const server = makeServer({ data, keys: join(data, "keys.json"), trainer: undefined });
  await server.listen({ port: 0 });
  const { training, inference } = server.clients();
  const { id } = await training.models.create(modelOf("n"));
  const message = { role: "user" as const, content: "hi" };
  const trajectories = await Promise.all(
    [0, 1].map(async (reward) => {
      const ask = { model: "demo/tiny", messages: [message], logprobs: true, max_tokens: 4, seed: reward };
      const [choice] = (await inference.chat.completions.create(ask)).choices;
      if (choice === undefined) throw new Error("The model gave no answer.");
      return { reward, messages_and_choices: [message, choice] };
    }),
  );
  const jobOf = { model_id: id, trajectory_groups: [{ trajectories }] };
  const first = await training.trainingJobs.createRl(jobOf);
  expect(await ended(training, first.id)).toMatchObject({ status: "completed", error_message: null });
  const second = await training.trainingJobs.createRl(jobOf);
  const [sent, known] = [new Set<string>(), new Set<string>()];
  const over = new AbortController();
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let count = 0; !over.signal.aborted; count++) {
      const text = `${writer}-${count}-${randomBytes(500).toString("hex")}`;
      sent.add(text);
      await training.models.log(id, logOf(text));
      known.add(text);
    }
  });
  await until(async () => known.size > 50);
  const before = new Set(known);
  expect(await run("backup", target, "--data", data)).toMatchObject({
    output: expect.stringMatching(/^Saved \d+ files/),
    code: 0,
  });
  const after = new Set(sent);
  await until(async () => known.size > after.size + 16);
  over.abort();
  await Promise.all(writers);
  if (process.platform !== "win32") {
    const all = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const modes = all.map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777);
    expect([statSync(target).mode & 0o777, ...new Set(modes)]).toEqual([0o700, 0o600]);
  }
  expect(await run("backup", target, "--data", data)).toMatchObject({
    output: expect.stringContaining("is not empty"),
    code: 1,
  });
  const inUse = await run("restore", target, "--data", data, "--replace");
  expect(inUse).toMatchObject({ output: expect.stringContaining("is in use by a server. Stop it"), code: 1 });
  await server.end();
  expect(existsSync(`${target}.part`)).toBe(false);

  // Each changed byte of each file is found, and nothing is written.
  const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    const at = Math.floor(Math.random() * whole.length);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    writeFileSync(file, changed);
    const elsewhere = join(temporaryFolder(), "new");
    const { output, code } = await run("restore", target, "--data", elsewhere);
    // A changed space between two values of the manifest changes nothing that it says.
    if (code === 1) expect([output, existsSync(elsewhere)]).toEqual([expect.stringContaining(file), false]);
    else expect(JSON.parse(changed.toString())).toEqual(JSON.parse(whole.toString()));
    writeFileSync(file, whole);
  }
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["keys.json", "manifest.json", "trainyard.sqlite", "model.json"]),
  );

  const replaced = await run("restore", target, "--data", data, "--replace");
  expect(replaced).toMatchObject({ output: expect.stringMatching(/^What was in .* is in (.*)\.\nRestored/), code: 0 });
  const events: ServerEvent[] = [];
  const notice = (_: string, event?: ServerEvent) => event && events.push(event);
  const again = makeServer({ data, keys: join(data, "keys.json"), trainer: undefined, notice });
  expect(events).toMatchObject([{ event: "data.restored", command: "restore", from: target, files: files.length - 1 }]);
  const kept: unknown[] = [];
  for await (const log of again.control.logs.list({ model_id: id, limit: 100 }))
    kept.push(Object(log.body).trajectory_groups[0].trajectories[0].logs[0]);
  expect(new Set(kept).size).toBe(kept.length);
  expect([...before].filter((text) => !kept.includes(text))).toEqual([]);
  expect(kept.filter((text) => !after.has(String(text)))).toEqual([]);
  const clients = again.clients();
  expect(await ended(clients.training, second.id)).toMatchObject({ status: "completed" });
  for await (const { step } of clients.training.models.checkpoints.list(id)) {
    const model = `artifact:///team-0/p/n:step${step}`;
    const answered = await clients.inference.chat.completions.create({ model, messages: [message], max_tokens: 2 });
    expect(answered.choices).toHaveLength(1);
  }
  await again.end();
  rmSync(/is in (.*)\.\n/.exec(replaced.output)?.[1] ?? "", { recursive: true });
});
