import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { verifyCommand } from "@trainyard/live/verify";
import { createServer, type LocalServer } from "@trainyard/server";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contracts, listen } from "./verify/listening.ts";
import { proxy, raw, type Mutant } from "./verify/mutant.ts";
import { key, servicesOf } from "./verify/server.ts";

let server: LocalServer;

beforeAll(() => {
  server = createServer({ keys: [{ key, entity: "harbor" }] });
});
afterAll(() => server.close());

/** Runs the command against one service of the local server, or against one with a mutant. */
async function run(
  args: readonly string[],
  mutant?: Mutant,
  more: Partial<Parameters<typeof verifyCommand>[2]> = {},
  onRequest?: () => void,
) {
  const name = mutant?.service ?? "inference";
  const service = servicesOf(server).find((one) => one.name === name);
  if (service?.fetch === undefined) throw new Error(`The local server has no ${name}.`);
  let sent = 0;
  const answer = proxy({ ...service, fetch: service.fetch }, mutant);
  // The server of this process has an address that is nowhere.
  const { origin } = new URL(service.baseUrl);
  const here = service.baseUrl.replace(origin, "http://127.0.0.1");
  let out = "";
  let err = "";
  const code = await verifyCommand(["--service", name, ...args], contracts, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    environment: { TRAINYARD_API_KEY: key, [`TRAINYARD_${name.toUpperCase()}_URL`]: here },
    fetch: (input, init) => {
      // The first request only looks whether the service is there.
      if (++sent > 1) onRequest?.();
      const { href } = input instanceof Request ? new URL(input.url) : new URL(input);
      return answer(href.replace("http://127.0.0.1", origin), init);
    },
    ...more,
  });
  return { code, out, err, sent };
}

const inference = ["--service", "inference"];
const models = ["--operation", "models.list"];
const chat = ["--operation", "chat.completions.create"];
const contradicts = raw("inference models.list", "contradicts", /./, (answer) => {
  answer.text = answer.text.replaceAll('"object":"list"', '"object":"a | b"');
});
const extraField = raw("inference models.list", "an extra field", /./, (answer) => {
  answer.text = answer.text.replace("{", '{"unheard_of":1,');
});

const proposed = raw("inference models.list", "no x-request-id", /./, { headers: { "x-request-id": undefined } });
const adopted = raw("inference models.list 401", "no challenge", /./, { headers: { "www-authenticate": undefined } });

describe("the exit code", () => {
  it.each([
    ["nothing was found", [], undefined, 0],
    ["something contradicts", [], contradicts, 1],
    ["something is not declared", [], extraField, 0],
    ["something is not declared, and that counts", ["--fail-on", "not-declared"], extraField, 1],
    ["something contradicts, and what is not declared counts", ["--fail-on", "not-declared"], contradicts, 1],
    ["nothing counts", ["--fail-on", "nothing"], contradicts, 0],
    ["every success was seen, and that counts", ["--fail-on", "not-seen"], undefined, 0],
    ["a success was not seen, and that counts", ["--fail-on", "not-seen", "--budget", "1", ...chat], undefined, 1],
    ["the budget is spent", ["--budget", "3"], undefined, 4],
    ["what is proposed differs", [], proposed, 0],
    ["what is proposed differs, and what is not declared counts", ["--fail-on", "not-declared"], proposed, 0],
    ["what is proposed differs, and must be kept", ["--basis", "proposed"], proposed, 1],
    ["what is adopted differs", [], adopted, 1],
    ["what is adopted differs, and only the interface must be kept", ["--basis", "interface"], adopted, 0],
    ["what the interface says differs", ["--basis", "interface"], contradicts, 1],
    ["the budget is spent, and something contradicts", ["--budget", "3"], contradicts, 1],
  ] as const)("is right if %s", async (_, args, mutant, expected) => {
    const { code, err } = await run([...models, ...args], mutant);
    expect({ code, err }).toEqual({ code: expected, err: "" });
  });

  it.each([
    ["--format", "xml", "--format must be terminal, markdown, json, junit, github, not xml."],
    ["--fail-on", "all", "--fail-on must be contradicts, not-declared, not-seen, nothing, not all."],
    ["--basis", "own", "--basis must be interface, adopted, proposed, not own."],
    ["--budget", "few", "--budget must be a number of calls, not few."],
    ["--set", "model", "--set must be name=value, not model."],
    ["--operation", "models.lst", "There is no operation models.lst."],
    ["--base-url", "nowhere", "The address of a service must be such as http://127.0.0.1:4010, not nowhere."],
    ["--unheard-of", "", "--unheard-of"],
  ])("is 2 for %s %s", async (flag, value, message) => {
    const { code, out, err, sent } = await run([flag, value]);
    expect({ code, out, sent }).toEqual({ code: 2, out: "", sent: 0 });
    expect(err).toContain(message);
    expect(err).toContain("trainyard verify --help");
  });

  it("is 3 if no service responds", async () => {
    const { code, err } = await run([], undefined, { fetch: () => Promise.reject(new TypeError("fetch failed")) });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining("TRAINYARD_INFERENCE_URL") });
  });
});

describe.each(["terminal", "markdown", "json", "junit", "github"])(
  "a run that is not finished, in the format %s",
  (format) => {
    it("says so if its budget is spent", async () => {
      const { code, out } = await run([...models, "--budget", "3", "--format", format]);
      expect(code).toBe(4);
      expect(out).toMatch(/not finished, because the budget is spent|"ended": "the budget is spent"/);
    });

    it("says so if it was interrupted, also if something contradicts", async () => {
      for (const mutant of [undefined, contradicts]) {
        const ending = new AbortController();
        const onRequest = () => ending.abort();
        const { code, out } = await run([...models, "--format", format], mutant, { signal: ending.signal }, onRequest);
        expect(code).toBe(130);
        expect(out).toMatch(/not finished, because the run was interrupted|"ended": "the run was interrupted"/);
      }
    });
  },
);

describe("the format", () => {
  it.each(["terminal", "markdown"])("of a %s lists what was never seen, also without findings", async (format) => {
    const { out } = await run([...models, "--format", format]);
    expect(out).toMatch(/no findings\. \d+ rules checked, \d+ not\./);
    expect(out).toContain("Rules not checked:\n");
    expect(out).toMatch(/^(?: {2}|- )inference: chat-retry \(no response says what a call costs\)$/m);
    expect(out).toMatch(
      /^ {2}inference models\.list +200 ×\d+.*503: cannot be provoked$|^\| inference models\.list \| 503 +\| – +\| cannot be provoked \|$/m,
    );
  });

  it("of Markdown is a table with a cell for each value", async () => {
    const { out } = await run([...models, "--format", "markdown"], contradicts);
    const rows = out.split("\n").filter((line) => line.startsWith("|"));
    expect(rows[0]?.replaceAll(/ +/g, " ")).toBe(
      "| finding | id | operation | the contract says | basis | seen | location |",
    );
    expect(rows.length).toBeGreaterThan(2);
    // A bar in the seen value would begin a cell.
    const cells = rows.map((row) => row.replaceAll(String.raw`\|`, "").split("|").length);
    const covered = rows.findIndex((row) => /^\| operation +\|/.test(row));
    expect(new Set(cells.slice(0, covered))).toEqual(new Set([9]));
    expect(new Set(cells.slice(covered))).toEqual(new Set([6]));
    expect(out).toContain(String.raw`a \| b`);
  });

  it("of JSON has what was checked, what was found, and what was not deleted", async () => {
    const { out } = await run([...models, "--format", "json"], contradicts);
    expect(JSON.parse(out)).toMatchObject({
      services: [{ name: "inference", version: expect.any(String) }],
      findings: [{ service: "inference", operations: ["models.list"], certainty: "contradicts" }],
      left: [],
    });
  });

  it.each(["terminal", "markdown", "github"])("of a %s lists apart what differs from a proposal", async (format) => {
    const { out } = await run([...models, "--format", format], proposed);
    expect(out).toMatch(
      /^Differs from a proposal:\n+[- ]+[\da-f]{10} inference models\.list: .*x-request-id.*\(basis: proposed\)$/m,
    );
    expect(out).toMatch(/: no findings\. 1 differs from a proposal\. /);
    expect(out).not.toMatch(/^contradicts|::error/m);
  });

  it("of a terminal shows the contract, what was seen, the request, and the location", async () => {
    const { out } = await run(models, contradicts);
    expect(out).toMatch(
      /^contradicts {3}inference models\.list.*\n {2}contract {2}.+\n {2}seen {6}.+a \| b.*\n {2}request {3}GET .+\n {2}location {2}.*#\//,
    );
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
  expect(err).toMatch(
    /^# training models\.create [\w-]+, project verify-\w+, name agent-1: not deleted, .* returned 500$/m,
  );
  expect(err).toContain("curl -X DELETE");
  expect(err).toContain("$TRAINYARD_API_KEY");
  expect(err).not.toContain(key);
});

describe("a report in CI", () => {
  it("as JUnit is read by a parser, with a case for each status and each finding", async () => {
    const { out } = await run([...models, "--format", "junit"], contradicts);
    const parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(out);
    const { testsuite } = parsed.testsuites;
    expect(testsuite).toMatchObject({ name: "inference", failures: "1" });
    expect(testsuite.testcase).toHaveLength(Number(testsuite.tests));
    const failed = testsuite.testcase.filter((one: object) => "failure" in one);
    expect(failed).toMatchObject([
      { classname: "inference.models.list", failure: { message: expect.stringContaining("a | b") } },
    ]);
    expect(testsuite.testcase.filter((one: object) => "skipped" in one)).toHaveLength(Number(testsuite.skipped));
  });

  it("for GitHub has an annotation of each finding", async () => {
    const { out } = await run([...models, "--format", "github"], contradicts);
    expect(out).toMatch(/^::error file=.*title=contradicts {3}inference models\.list.*::contract .*a | b.*$/m);
    expect(out).toContain("operation");
  });

  const folder = mkdtempSync(join(tmpdir(), "trainyard-baseline-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "baseline.yaml");

  it("does not fail for what a baseline knows, and names an outdated entry", async () => {
    const { out: json } = await run([...models, "--format", "json"], contradicts);
    const [{ id }] = JSON.parse(json).findings;
    writeFileSync(file, `- id: ${id}\n  reason: They know.\n- id: "0123456789"\n  reason: No more.\n`);
    const { code, out } = await run([...models, "--baseline", file], contradicts);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Known:\\n  ${id} inference models\\.list: .* They know\\.$`, "m"));
    expect(out).toContain(`Outdated in the baseline:\n  ${file}:3: 0123456789 fits no finding`);
    expect(out).toContain("no findings. 1 known.");
  });

  it.each([
    ["id: 1", ":1: A baseline is a list."],
    ["- id: abc\n  reason: x", ":1: The entry has no `id`"],
    ["- id: 0a1b2c3d4e\n  reason: x\n- id: 1a1b2c3d4e", ":3: The entry 1a1b2c3d4e has no `reason`."],
    ["- id: 0a1b2c3d4e\n  reason: x\n  until: 2027", ":1: An entry has `id` and `reason`, and no `until`."],
    ["- [", ":1: "],
  ])("is refused with its line: %j", async (text, message) => {
    writeFileSync(file, text);
    const { code, err, sent } = await run(["--baseline", file]);
    expect({ code, sent }).toEqual({ code: 2, sent: 0 });
    expect(err).toContain(file + message);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

it.each<[isCalled: boolean, title: string, args: string[], ask?: string]>([
  [false, "no host is confirmed", []],
  [false, "another host is confirmed", ["--confirm", "example.com"]],
  [false, "the user types another host", [], "yes"],
  [true, "the host is confirmed", ["--confirm", "api.example.com"]],
  [true, "the user types the host", [], "api.example.com"],
  [true, "the run only reads", ["--read"]],
])("calls an address that is not on this machine: %s, if %s", async (isCalled, _, args, typed) => {
  const environment = { TRAINYARD_INFERENCE_URL: "https://api.example.com/v1" };
  const more = { environment, ...(typed && { ask: async () => typed }) };
  const { code, err, sent } = await run([...models, ...args], undefined, more);
  if (isCalled) expect(sent).toBeGreaterThan(0);
  else
    expect({ code, sent, err }).toEqual({
      code: 2,
      sent: 0,
      err: expect.stringContaining("--confirm api.example.com"),
    });
});

it("sends only what changes nothing with --read", async () => {
  const { out } = await run(["--read", "--service", "training", "--dry-run"]);
  expect(out.split("\n").length).toBeGreaterThan(20);
  expect(out).not.toMatch(/^(PATCH|PUT|DELETE) |^POST (?!.*(chat|stats|read))/m);
});

describe("--proxy", () => {
  /** A service that answers a list, a stream piece by piece, and a compressed list that contradicts. */
  const pieces = new EventEmitter();
  const service = createHttpServer((request, response) => {
    const headers = { "content-type": "application/json", "X-Odd": "a" };
    if (request.url?.startsWith("/v1/models")) response.writeHead(200, headers).end('{"object":"list"}');
    else if (request.url === "/v1/packed")
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("packed"));
    else {
      response.write("one");
      pieces.once("next", () => response.end("two"));
    }
  });
  let address = "";
  beforeAll(async () => {
    await once(service.listen(0, "127.0.0.1"), "listening");
    address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => void service.close());

  it("forwards bytes, pieces and headers unchanged, and judges what passed", async () => {
    const { base, end } = await listen([...inference, address]);
    const direct = await fetch(`${address}/models`);
    const passed = await fetch(`${base}/models`);
    expect(await passed.text()).toBe(await direct.text());
    expect(passed.headers.get("x-odd")).toBe("a");
    expect(await (await fetch(`${base}/packed`)).text()).toBe("packed");
    const reader = (await fetch(`${base}/pieces`)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("one");
    pieces.emit("next");
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("two");
    await fetch(`${base}/models`).then((response) => response.text());
    const { code, out, err } = await end();
    expect(code).toBe(1);
    // Two responses have the same cause.
    expect(err.match(/^contradicts/gm)).toHaveLength(out.match(/^contradicts/gm)?.length ?? 0);
    expect(out).toMatch(/, 2 times$/m);
    expect(out).toMatch(/inference models\.list +200 ×2/);
    expect(out).toMatch(/503: not in the traffic/);
    expect(out).toContain("/pieces is not declared, so it was not judged.");
  });

  it("shows no key that a document lets stand in an address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trainyard-proxy-"));
    const content = { "application/json": { schema: { required: ["data"] } } };
    const document = {
      openapi: "3.1.0",
      info: { title: "Keyed", version: "1.0.0" },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "k" } } },
      paths: { "/models": { get: { operationId: "list", responses: { 200: { description: "", content } } } } },
    };
    writeFileSync(join(folder, "keyed.json"), JSON.stringify(document));
    const { base, end } = await listen(["--document", join(folder, "keyed.json"), address]);
    await (await fetch(`${base}/models?k=secret-of-a-caller`)).text();
    const { code, out, err } = await end();
    rmSync(folder, { recursive: true });
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("/models?k=[key]") });
    expect(out + err).not.toContain("secret-of-a-caller");
  });

  it("answers 502 while the service is down, and goes on", async () => {
    const closed = createHttpServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    const { base, end } = await listen([...inference, url]);
    for (const _ of [1, 2]) {
      const response = await fetch(`${base}/models`);
      expect(response.status).toBe(502);
      expect(await response.text()).toContain(`the service at ${url} cannot be reached (ECONNREFUSED)`);
    }
    expect((await end()).code).toBe(0);
  });

  it("names a port that is in use", async () => {
    const { end } = await listen([...inference, address], new URL(address).port);
    const { code, err } = await end();
    expect(code).toBe(2);
    expect(err).toContain("(EADDRINUSE). Name another one with --proxy.");
  });
});
