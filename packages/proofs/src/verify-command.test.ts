import type { Contract } from "@trainyard/live/call";
import { verifyCommand } from "@trainyard/live/verify";
import { createServer, type LocalServer } from "@trainyard/server";
import { packages } from "@trainyard/testing/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proxy, raw, type Mutant } from "./verify/mutant.ts";
import { key, servicesOf } from "./verify/server.ts";

const contracts: readonly Contract[] = packages
  .filter(({ name }) => name !== "local")
  .map(({ name, document }) => ({ name, bundle: () => document }));
let server: LocalServer;

beforeAll(() => {
  server = createServer({ keys: [{ key, entity: "harbor" }] });
});
afterAll(() => server.close());

/** Runs the command against one service of the local server, or against one with a mutant. */
async function run(args: readonly string[], mutant?: Mutant) {
  const name = mutant?.service ?? "inference";
  const service = servicesOf(server).find((one) => one.name === name);
  if (service?.fetch === undefined) throw new Error(`The local server has no ${name}.`);
  let sent = 0;
  const answer = proxy({ ...service, fetch: service.fetch }, mutant);
  let out = "";
  let err = "";
  const code = await verifyCommand(["--service", name, ...args], contracts, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    environment: { TRAINYARD_API_KEY: key, [`TRAINYARD_${name.toUpperCase()}_URL`]: service.baseUrl },
    fetch: (input, init) => {
      sent++;
      return answer(input, init);
    },
  });
  return { code, out, err, sent };
}

const models = ["--operation", "models.list"];
const contradicts = raw("inference models.list", "contradicts", /./, (answer) => {
  answer.text = answer.text.replaceAll('"object":"list"', '"object":"a | b"');
});
const extraField = raw("inference models.list", "an extra field", /./, (answer) => {
  answer.text = answer.text.replace("{", '{"unheard_of":1,');
});

describe("the exit code", () => {
  it.each([
    ["nothing was found", [], undefined, 0],
    ["something contradicts", [], contradicts, 1],
    ["something is not declared", [], extraField, 0],
    ["something is not declared, and that counts", ["--fail-on", "not-declared"], extraField, 1],
    ["something contradicts, and what is not declared counts", ["--fail-on", "not-declared"], contradicts, 1],
    ["nothing counts", ["--fail-on", "nothing"], contradicts, 0],
  ] as const)("is right if %s", async (_, args, mutant, expected) => {
    const { code, err } = await run([...models, ...args], mutant);
    expect({ code, err }).toEqual({ code: expected, err: "" });
  });

  it.each([
    ["--format", "xml", "--format must be terminal, markdown, json, not xml."],
    ["--fail-on", "all", "--fail-on must be contradicts, not-declared or nothing, not all."],
    ["--budget", "few", "--budget must be a number of calls, not few."],
    ["--set", "model", "--set must be name=value, not model."],
    ["--operation", "models.lst", "There is no operation models.lst."],
    ["--base-url", "nowhere", "--base-url must be an address such as http://127.0.0.1:4010, not nowhere."],
    ["--unheard-of", "", "--unheard-of"],
  ])("is 2 for %s %s", async (flag, value, message) => {
    const { code, out, err, sent } = await run([flag, value]);
    expect({ code, out, sent }).toEqual({ code: 2, out: "", sent: 0 });
    expect(err).toContain(message);
    expect(err).toContain("trainyard verify --help");
  });

  it("is 3 if no service responds", async () => {
    let err = "";
    const code = await verifyCommand(["--service", "training", "--base-url", "http://127.0.0.1:4010"], contracts, {
      out: () => undefined,
      err: (text) => (err += text),
      environment: {},
      fetch: () => Promise.reject(new TypeError("fetch failed")),
    });
    expect(code).toBe(3);
    expect(err).toContain("TRAINYARD_TRAINING_URL");
  });
});

describe("the format", () => {
  it.each(["terminal", "markdown"])("of a %s lists what was never seen, also without findings", async (format) => {
    const { out } = await run([...models, "--format", format]);
    expect(out).toMatch(/no findings\. \d+ rules checked, \d+ not\./);
    expect(out).toContain("Rules not checked:\n");
    expect(out).toMatch(/^(?: {2}|- )inference: chat-retry \(no response says what a call costs\)$/m);
    expect(out).toMatch(/^Never seen:\n+(?: {2}|- )inference models\.list: .*503 \(cannot be provoked\)$/m);
  });

  it("of Markdown is a table with a cell for each value", async () => {
    const { out } = await run([...models, "--format", "markdown"], contradicts);
    const rows = out.split("\n").filter((line) => line.startsWith("|"));
    expect(rows[0]).toBe("| finding | operation | the contract says | basis | seen | location |");
    expect(rows.length).toBeGreaterThan(2);
    // A bar in the seen value would begin a cell.
    for (const row of rows) expect(row.replaceAll(String.raw`\|`, "").split("|")).toHaveLength(8);
    expect(out).toContain(String.raw`a \| b`);
  });

  it("of JSON has what was checked, what was found, and what was not deleted", async () => {
    const { out } = await run([...models, "--format", "json"], contradicts);
    const report: unknown = JSON.parse(out);
    expect(report).toMatchObject({
      services: [{ name: "inference", version: expect.any(String) }],
      findings: [
        { service: "inference", operation: "models.list", certainty: "contradicts", place: { pointer: /^#\// } },
      ].map((finding) => ({ ...finding, place: { pointer: expect.stringMatching(finding.place.pointer) } })),
      left: [],
    });
  });

  it("of a terminal shows the contract, what was seen, the request, and the location", async () => {
    const { out } = await run(models, contradicts);
    expect(out).toMatch(/^contradicts {3}inference models\.list/);
    expect(out).toMatch(/\n {2}contract {2}.+\n {2}seen {6}.+a \| b.*\n {2}request {3}GET .+\n {2}location {2}.*#\//);
  });
});

it("can print its requests without sending them", async () => {
  const { code, out, sent } = await run([...models, "--dry-run"], contradicts);
  expect({ code, sent }).toEqual({ code: 0, sent: 0 });
  const lines = out.trim().split("\n");
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) http/);
  expect(lines.at(-1)).toContain(`${lines.length - 1} calls.`);
  // One of the calls has the key in its address.
  expect(out).toContain("[key]");
  expect(out).not.toContain(key);
});

it("prints the deletions that failed, without the key", async () => {
  const undeletable = raw("training models.delete any", "nothing is deleted", /./, (answer) => {
    answer.status = 500;
    answer.text = '{"detail": "No."}';
  });
  const { err } = await run(["--write", "--operation", "health.check", "--budget", "14"], undeletable);
  expect(err).toContain("Some of what was created could not be deleted.");
  expect(err).toContain("curl -X DELETE");
  expect(err).toContain("$TRAINYARD_API_KEY");
  expect(err).not.toContain(key);
});
