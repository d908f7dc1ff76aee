import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variableName } from "@trainyard/document";
import { expect, it } from "vitest";
import type { ServerOptions } from "../options.ts";
import { serverLog } from "./log.ts";
import { documentsOf, optionsOf } from "./serve-options.ts";
import { serveHelp, serveSettings } from "./serve-settings.ts";
import { readSettings, type Setting } from "./settings.ts";

type Flag = keyof typeof serveSettings;

/** The flags of each option of `createServer`: a new option does not compile until its flag stands here. */
const flags: Readonly<Record<keyof ServerOptions, readonly Flag[]>> = {
  data: ["data"],
  keys: ["keys"],
  controlKey: ["control-key-file"],
  backend: ["upstream", "upstream-timeout"],
  trainer: ["trainer", "trainer-cwd", "trainer-grace"],
  checkpoints: ["checkpoints"],
  dataHosts: ["data-host"],
  documents: ["document", "allow"],
  limits: ["body-limit", "depth-limit", "header-limit", "request-limit"],
  checkAnswers: ["check-answers"],
  console: ["console"],
  hosts: ["allow-host"],
  trustedProxies: ["trusted-proxy"],
  site: ["site"],
  log: ["log", "quiet"],
  trainerLog: ["log"],
  trainerLogBytes: ["trainer-log-limit"],
  unhandled: ["log"],
  notice: ["log"],
  lostLines: ["log"],
  stopMs: ["stop-timeout"],
  report: ["log"],
};

it("lists each flag in the help, and reads its variable from the environment", () => {
  for (const name of Object.values(flags).flat()) {
    expect(serveHelp).toMatch(new RegExp(`^ {2}--(\\[no-\\])?${name}\\b`, "m"));
    const setting: Setting = serveSettings[name];
    const text = setting.value === undefined ? "true" : "12";
    const wanted = setting.value === undefined ? true : setting.multiple ? ["12"] : "12";
    expect(readSettings(serveSettings, [], { [variableName("TRAINYARD", name)]: text })[name]).toEqual(wanted);
    expect(readSettings(serveSettings, [], { [variableName("TRAINYARD", name)]: "" })[name]).toBeUndefined();
  }
});

it("uses a flag rather than its variable, and splits lists at commas", () => {
  const environment = { TRAINYARD_PORT: "1", TRAINYARD_CONSOLE: "true", TRAINYARD_DATA_HOST: "a.example, b.example" };
  expect(readSettings(serveSettings, ["--port", "2", "--no-console"], environment)).toMatchObject({
    port: "2",
    console: false,
    "data-host": ["a.example", "b.example"],
  });
});

const log = serverLog({ form: "text", requests: true, write: () => undefined });

it("turns settings into options", () => {
  const args = ["--trainer", "python3 t.py", "--trainer-cwd", "/x", "--trainer-grace", "1.5", "--header-limit", "32"];
  const upstream = ["--upstream", "http://u/v1", "--upstream-timeout", "9"];
  const given = readSettings(serveSettings, [...args, ...upstream, "--trainer-log-limit", "1.5"], {});
  expect(optionsOf(given, log)).toMatchObject({
    trainerLogBytes: 1_572_864,
    trainer: { command: ["python3", "t.py"], cwd: "/x", graceMs: 1500 },
    limits: { headerBytes: 32_768 },
    backend: { url: "http://u/v1", timeoutMs: 9000 },
    console: true,
  });
  expect(optionsOf({ trainer: "none", host: "0.0.0.0" }, log)).toMatchObject({ trainer: "none", console: false });
});

it.each([
  [["--request-limit", "0"], "--request-limit must be 1 or more, not 0."],
  [["--header-limit", "65"], "--header-limit must be from 1 to 64, not 65."],
  [["--trainer-log-limit", "0"], "--trainer-log-limit must be 1 or more, not 0."],
  [["--depth-limit", "1.5"], "--depth-limit must be 1 or more, not 1.5."],
  [["--trainer", "t", "--trainer-grace", ""], "--trainer-grace must be 0 or more, not ."],
])("rejects %j", (args, message) => {
  expect(() => optionsOf(readSettings(serveSettings, args, {}), log)).toThrow(message);
});

it("reads any OpenAPI document of another service, and says what is different from its file", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "trainyard-"));
  const file = join(folder.path, "shop.yaml");
  const schema = "{properties: {price: {enum: [1], nullable: true}}}";
  const answer = `responses: {200: {description: Items., content: {application/json: {schema: ${schema}}}}}`;
  writeFileSync(file, `openapi: 3.0.3\ninfo: {title: Shop, version: "1"}\npaths: {/items: {get: {${answer}}}}\n`);
  const notes: string[] = [];
  const read = (document: string) => documentsOf({ document: [document] }, (sentence) => notes.push(sentence));
  expect(await read(`shop=${file}`)).toMatchObject({ shop: { openapi: "3.1.1" } });
  expect(notes).toContainEqual(expect.stringContaining("price: `nullable` alone was removed"));
  await expect(read(file)).rejects.toThrow(`--document must be name=file, not ${file}.`);
  await expect(read(`shop=${folder.path}/none.yaml`)).rejects.toThrow("This file does not exist.");
});

it("rejects a variable that is neither true nor false", () => {
  const read = () => readSettings(serveSettings, [], { TRAINYARD_CONSOLE: "maybe" });
  expect(read).toThrow("TRAINYARD_CONSOLE must be true or false, not maybe.");
});

it("writes lines as text or as JSON, and requests only if they are logged", () => {
  const entry = { requestId: "req_1", method: "POST", path: "/p", status: 422, milliseconds: 2 };
  const logAll = (form: "text" | "json", requests: boolean) => {
    const lines: string[] = [];
    const now = () => new Date(0);
    const own = serverLog({ form, requests, write: (line) => lines.push(line), now });
    own.request({ ...entry, operation: "training models.create", reason: "name: This is required." });
    own.request({ ...entry, status: 200 });
    own.trainer({ jobId: "j", attempt: 1, line: "loss 3" });
    own.notice("It is full.");
    own.error(new Error("broken"));
    return lines;
  };
  expect(logAll("text", true).slice(0, 4)).toEqual([
    "POST /p 422 2 ms req_1 training models.create: name: This is required.",
    "POST /p 200 2 ms req_1",
    "trainer j loss 3",
    "It is full.",
  ]);
  expect(logAll("text", false)).toHaveLength(3);
  expect(logAll("json", true).map((line): unknown => JSON.parse(line))).toMatchObject([
    { time: "1970-01-01T00:00:00.000Z", level: "warn", status: 422, duration_ms: 2, reason: "name: This is required." },
    { level: "info", request_id: "req_1" },
    { level: "info", job_id: "j", message: "loss 3" },
    { level: "warn", message: "It is full." },
    { level: "error", message: "broken", error: expect.stringContaining("settings.test.ts") },
  ]);
});
