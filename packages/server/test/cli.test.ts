import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalClient } from "@trainyard/local";
import { createInferenceClient } from "@trainyard/inference";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";

const cli = join(import.meta.dirname, "../../trainyard/src/cli.ts");
const node = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning", cli];

/** Runs the command. Resolves once it has exited, or, if `ready` is given, once it has printed that. */
function trainyard(args: string[], ready?: string) {
  const child = spawn(process.execPath, [...node, ...args]);
  let output = "";
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  const printed = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part: Buffer) => {
        output += part.toString();
        if (ready !== undefined && output.includes(ready)) resolve(output);
      });
    }
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended, printed };
}

it(
  "serves, prints the key that it created, accepts imports, and exits on a signal",
  { tags: ["long"], timeout: 120_000 },
  async () => {
    const data = temporaryFolder();
    const lines = join(data, "lines.jsonl");
    writeFileSync(lines, '{"messages":[]}\n{"messages":[]}');
    const as = ["--as", "artifact:///local/p/qa:v1", "--data", data];
    // First without a server, then through a running one.
    expect(await trainyard(["import", "artifacts", lines, ...as]).ended).toMatchObject({ code: 0 });
    const checkpoints = join(data, "elsewhere");
    const serving = trainyard(["serve", "--port", "0", "--data", data, "--checkpoints", checkpoints], "key ");
    const text = await serving.printed;
    const url = /^inference +(\S+)$/m.exec(text)?.[1] ?? "";
    const keyFile = join(data, "keys.json");
    expect(text).toContain(`key        in ${keyFile} (of local)\n`);
    const [{ key: apiKey }] = JSON.parse(readFileSync(keyFile, "utf8"));
    const noteFile = join(data, "server.json");
    const base = url.replace("/inference/v1", "");
    expect(text).toContain(`console    ${base}/console/ (its code is in ${noteFile})\n`);
    if (process.platform !== "win32")
      for (const file of [keyFile, noteFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
    const { data: models } = await createInferenceClient({ baseUrl: url, apiKey }).models.list();
    expect(models[0]?.id).toBe("demo/tiny");
    expect(readdirSync(checkpoints)).toContain("owner.lock");
    const [again, other, wrong] = await Promise.all([
      trainyard(["import", "artifacts", lines, ...as]).ended,
      trainyard(["serve", "--port", "0", "--data", data]).ended,
      trainyard(["import", "feedback", lines, "--data", data]).ended,
    ]);
    expect(again).toEqual({ code: 0, output: `${lines}: 2 records of artifacts imported.\n` });
    expect(other).toEqual({ code: 1, output: expect.stringContaining(`in use by process ${serving.child.pid}`) });
    expect(wrong).toEqual({ code: 1, output: expect.stringMatching(/:1: .*\n.*:2: .*\n.*2 of 2 lines are invalid/s) });
    // Requests that are running when the signal arrives are completed.
    const { controlKey, console: withCode } = JSON.parse(readFileSync(noteFile, "utf8"));
    const control = createLocalClient({ baseUrl: `${base}/_local`, controlKey });
    await control.faults.plan({ operation: "models.list", delayMs: 200 });
    const late = createInferenceClient({ baseUrl: url, apiKey, maxRetries: 0 }).models.list();
    await until(async () => (await control.faults.list()).data.length === 0);
    serving.child.kill("SIGTERM");
    const { code, output } = await serving.ended;
    if (process.platform !== "win32") expect((await late).data).toEqual(models);
    if (process.platform !== "win32") expect(code).toBe(0);
    const logged = output.split("\n").filter((line) => line.startsWith("{"));
    expect(logged.map((line): unknown => JSON.parse(line))).toContainEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: "info",
      message: "request",
      request_id: expect.stringMatching(/^req_/),
      operation: "inference models.list",
      method: "GET",
      path: "/inference/v1/models",
      status: 200,
      duration_ms: expect.any(Number),
      entity: "local",
      key_id: expect.stringMatching(/^\w{6}$/),
      client: "127.0.0.1",
    });
    // The key and the code are never printed where others may read them.
    expect(withCode).toMatch(new RegExp(`^${base}/console/#[\\w-]{22}$`));
    for (const secret of [apiKey, withCode.split("#")[1]]) expect(output).not.toContain(secret);
    const later = await trainyard(["serve", "--port", "0", "--data", data], "key ").printed;
    expect(later).toContain(`key        in ${join(data, "keys.json")} (of local)\n`);
  },
);

it("prints help, and what was wrong", { tags: ["long"], timeout: 120_000 }, async () => {
  const upstream = (url: string) =>
    trainyard(["serve", "--port", "0", "--data", "memory", "--upstream", url], "training ").ended;
  const [help, version, unknown, bad, misspelled, limit, empty, secret] = await Promise.all([
    trainyard(["--help"]).ended,
    trainyard(["--version"]).ended,
    trainyard(["dance"]).ended,
    trainyard(["serve", "--port", "x", "--data", "memory"]).ended,
    trainyard(["serve", "--prot", "4010"]).ended,
    trainyard(["serve", "--port", "0", "--data", "memory", "--body-limit", "models.lgo=64"]).ended,
    upstream(""),
    upstream("http://name:secret@127.0.0.1:9/v1"),
  ]);
  expect(help).toEqual({ code: 0, output: expect.stringMatching(/^ {2}import {2}/m) });
  expect(version).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(limit).toEqual({
    code: 2,
    output: expect.stringContaining("the operation models.lgo, which does not exist"),
  });
  expect(unknown).toEqual({ code: 2, output: expect.stringContaining("There is no command dance.") });
  expect(misspelled).toEqual({ code: 2, output: "There is no option --prot.\nSee trainyard serve --help.\n" });
  for (const { code, output } of [empty, secret]) {
    expect([code, output.includes("secret")]).toEqual([2, false]);
    expect(output).toMatch(/"message":"The address of the chat server .*\n$/);
  }
  expect(bad).toEqual({ code: 2, output: expect.stringContaining("--port must be from 0 to 65535, not x.") });
});

it(
  "serves on if the readers of its addresses and of its log close the pipe, as `head -1` does",
  { tags: ["long"] },
  async () => {
    const { child, ended, printed } = trainyard(["serve", "--port", "0", "--data", "memory"], "training ");
    const url = /^training +(\S+)/m.exec(await printed)?.[1] ?? "";
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    for (let at = 0; at < 5; at++) expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    child.kill("SIGHUP");
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    child.kill("SIGTERM");
    const { code, output } = await ended;
    if (process.platform !== "win32") expect(code).toBe(0);
    expect(output).not.toContain("Error");
  },
);
