import { readDocument } from "@trainyard/document";
import { allOperations, callName, exampleOf, flagsFor } from "@trainyard/live";
import { callCommand, type CallTerminal, type Contract } from "@trainyard/live/call";
import { startMock } from "@trainyard/mock";
import { packages } from "@trainyard/testing/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unionsIn } from "./strangers/unions.ts";

// The mock serves three services; only the local server has the control interface.
const contracts: readonly Contract[] = packages
  .filter(({ name }) => name !== "local")
  .map(({ name, document }) => ({ name, bundle: () => document }));
const all = allOperations(contracts, undefined);
let mock: Awaited<ReturnType<typeof startMock>>;

beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

async function call(args: readonly string[], more: Partial<CallTerminal> = {}) {
  const environment: Record<string, string> = { TRAINYARD_API_KEY: "a-key-for-the-mock" };
  for (const { name } of contracts) environment[`TRAINYARD_${name.toUpperCase()}_URL`] = mock.connect(name).baseUrl;
  let out = "";
  let err = "";
  const code = await callCommand(args, contracts, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    environment,
    ...more,
  });
  return { code, out, err };
}

/** An upper estimate of a text's tokens: pieces of five letters, three digits, or one other character. */
function tokens(text: string): number {
  return text.match(/[A-Za-z]{1,5}|\d{1,3}|[^\sA-Za-z\d]/g)?.length ?? 0;
}

/** The words of an example, as a shell parses them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

describe.each(all)("$contract.name $operation.id", (found) => {
  const flags = flagsFor(contracts, found);

  it("has a help of at most 400 tokens", async () => {
    const { code, out } = await call([callName(found.operation), "--service", found.contract.name, "--help"]);
    expect(code).toBe(0);
    expect(tokens(out)).toBeLessThanOrEqual(400);
    expect(out.replaceAll(/ \\\n +/g, " ")).toContain(exampleOf(found, flags));
  });

  it("has an example that runs", async () => {
    const [, , ...args] = wordsOf(exampleOf(found, flags));
    const { code, out, err } = await call(args);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^request id /) });
    for (const line of out.trim().split("\n")) if (line !== "") expect(() => JSON.parse(line)).not.toThrow();
  });
});

it("gives each number and each text of a union by a flag", () => {
  const unions = packages.map(({ document }) => unionsIn(readDocument(document)));
  expect(unions.flatMap(({ unreachable }) => unreachable)).toEqual([]);
  expect(unions.map(({ count }) => count).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
});

it("exits with 3 if the server cannot be reached", async () => {
  const args = ["models.create", "--project", "p", "--name", "a", "--base_model", "demo/tiny"];
  const fetch = () => Promise.reject(new TypeError("fetch failed"));
  expect(await call(args, { fetch })).toMatchObject({ code: 3, err: expect.stringMatching(/./) });
});

describe("the input", () => {
  const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";

  it.each([
    [["modles.create"], "There is no operation modles.create. Did you mean models.create?"],
    [["models.create", "--nam", "a"], "models.create has no --nam. Did you mean --name?"],
    [["models.list", "--service", "trainin"], "There is no service trainin. Did you mean training?"],
    [
      ["chat.completions.create"],
      "2 services have chat.completions.create. Name one: trainyard call chat.completions.create --service ",
    ],
    [["models.create", "--project", "p"], "name"],
    [["models.delete"], "<model_id>"],
  ] as const)("%j fails with a cure", async (args, message) => {
    const { code, err } = await call(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it("may name the service of an operation, as the reference does", async () => {
    expect((await call(["training.models.log", id, "--example", "nothing"])).code).toBe(0);
    expect((await call(["inference.chat.completions.create", "--example", "plain"])).code).toBe(0);
    expect((await call(["training.models", "--help"])).out).toContain("models.log");
  });

  it.each([["/inference/v1/models"], ["/models"]])("sends GET %s to its service", async (path) => {
    expect(await call(["GET", path])).toMatchObject({ code: 0, out: expect.stringContaining('"object":"list"') });
  });

  it("advertises commands that run", async () => {
    const { out } = await call([]);
    for (const [line] of out.matchAll(/trainyard call .*/g))
      expect(await call(wordsOf(line).slice(2))).toMatchObject({ code: 0, err: "" });
  });

  it("says which variable lacks its key", async () => {
    const { code, err } = await call(["models.delete", id], { environment: {} });
    expect([code, err]).toEqual([2, "The training client needs a key: set TRAINYARD_API_KEY.\n"]);
  });

  it("can be printed as curl, without the key", async () => {
    const { out } = await call(["models.list", "--dry-run"]);
    expect(out).toContain("$TRAINYARD_API_KEY");
    expect(out).not.toContain("a-key-for-the-mock");
  });

  it("may come from standard input, with fields merged into it", async () => {
    const args = ["models.create", "--body", "-", "--base-model", "demo/tiny", "--dry-run"];
    const { out } = await call(args, { input: async () => '{"project": "p", "name": "a"}' });
    expect(out).toContain('{"project":"p","name":"a","base_model":"demo/tiny"}');
  });

  it.each(["8", "null", "auto"])("may be an integer or a text: --config.batch_size %s", async (size) => {
    const args = ["trainingJobs.createSft", "--model_id", id];
    const url = ["--training_data_url", "https://files.test/data.jsonl"];
    const { err, out } = await call([...args, ...url, "--config.batch_size", size, "--dry-run"]);
    expect(err).toBe("");
    expect(out).toContain(`"config":{"batch_size":${size === "auto" ? '"auto"' : size}}`);
  });

  it("limits the items of a list, and prints each event of a stream", async () => {
    expect((await call(["models.checkpoints.list", id, "--limit", "2"])).out.trim().split("\n")).toHaveLength(2);
    const { out } = await call(["chat.completions.create", "--service", "training", "--example", "stream"]);
    expect(out.trim().split("\n").length).toBeGreaterThan(2);
  });
});
