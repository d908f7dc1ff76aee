import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMisuse } from "@trainyard/terminal/command";
import { expect, it } from "vitest";
import { serve } from "./command.ts";
import { serviceNames } from "./services.ts";

async function capture(...args: string[]) {
  let out = "";
  let err = "";
  const result = await serve(args, { out: (text) => (out += text), err: (text) => (err += text) });
  return { result, out, err };
}

it.each([
  [["--prot", "1"], "There is no option --prot."],
  [["--port"], "--port needs a value. One that begins with -- is written as --port=--value."],
  [["--port", "http"], '"http" is not a port. Pass a number from 0 to 65535.'],
  [["--port", "65536"], '"65536" is not a port. Pass a number from 0 to 65535.'],
  [["a.yaml", "b.yaml"], "Name one document, and others with --document: a.yaml, b.yaml."],
  [["--document", "library"], '"library" is not a document. Pass a name, "=" and a file.'],
  [["--document", "a=none.json"], "none.json\n  This file does not exist.\n  Name the file of an OpenAPI document."],
])("rejects %j", async (args, message) => {
  const refused = await capture(...args).catch((error: unknown) => error);
  expect([isMisuse(refused), refused]).toEqual([true, expect.objectContaining({ message })]);
});

it("reports why it cannot start", async () => {
  const { result, err } = await capture("--host", "256.0.0.1", "--port", "0");
  expect([result, err]).toEqual([1, expect.stringMatching(/^The mock could not start: .+\n$/)]);
});

it("names what it does not support in a document", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mock-"));
  const paths = { "/a/{x}": { get: { responses: {} } }, "/a/{y}": { post: { responses: {} } } };
  writeFileSync(
    join(folder, "a.json"),
    JSON.stringify({ openapi: "3.1.0", info: { title: "a", version: "1" }, paths }),
  );
  const { result, err } = await capture("--port", "0", "--document", `a=${join(folder, "a.json")}`);
  rmSync(folder, { recursive: true });
  if (typeof result === "number") throw new Error(err);
  await result.close();
  const message = "The paths /a/{x} and /a/{y} differ only in the names of their parameters.";
  expect(err).toContain(`a.json#/paths/~1a~1%7By%7D: ${message} Move the operations of one to the other.`);
});

it("serves the document that is its argument, and nothing else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mock-"));
  const file = join(folder, "shop.example.yaml");
  writeFileSync(
    file,
    `openapi: 3.2.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get:
      responses: { "200": { description: d, content: { application/json: { example: [1] } } } }
    query:
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        "200": { description: d, content: { application/json: { examples: { one: { dataValue: [2] } } } } }
    additionalOperations:
      COPY:
        responses: { "200": { description: d, content: { application/json: { example: [3] } } } }
`,
  );
  const { result, err, out } = await capture(file, "--port", "0");
  rmSync(folder, { recursive: true });
  if (typeof result === "number") throw new Error(err);
  await using mock = result;
  expect(Object.keys(mock.addresses)).toEqual(["shop.example"]);
  expect(out).toContain(`  shop.example  ${mock.url}\n`);
  const headers = { "content-type": "application/json" };
  for (const [method, answer] of [
    ["GET", 1],
    ["QUERY", 2],
    ["COPY", 3],
  ] as const) {
    const init = { method, ...(method === "QUERY" && { headers, body: "{}" }) };
    expect(await (await fetch(`${mock.url}/orders`, init)).json()).toEqual([answer]);
  }
  expect((await fetch(`${mock.url}/orders`, { method: "QUERY", headers, body: "[]" })).status).toBe(422);
  expect((await fetch(`${mock.url}/orders`, { method: "PUT" })).headers.get("allow")).toBe("GET, HEAD, QUERY, COPY");
});

it("serves until it is stopped, on another port if its own is taken", async () => {
  const document = fileURLToPath(import.meta.resolve("@trainyard/auxiliary/openapi.json"));
  const first = await capture("--port", "0", "--key", "secret", "--document", `fourth=${document}`);
  if (typeof first.result === "number") throw new Error(first.err);
  await using mock = first.result;
  expect(first.out).toContain(`  fourth     ${mock.url}/auxiliary\n`);
  expect(first.out).toContain("Only the given keys are valid.");
  expect(first.out).not.toContain("secret");

  const program = `import { run } from ${JSON.stringify(import.meta.resolve("./command.ts"))};
    await run(["--port", "${mock.port}"]);`;
  const args = ["--conditions=@trainyard/source", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stderr.on("data", (part) => (err += String(part)));
  for await (const part of child.stdout) {
    out += String(part);
    if (out.includes("Ctrl-C")) break;
  }
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  const port = /Using port (\d+)/.exec(out)?.[1];
  const longest = Math.max(...serviceNames.map(({ length }) => length));
  const paths: Readonly<Record<string, string>> = { inference: "/inference/v1", training: "" };
  expect({ code, err, out }).toEqual({
    code: 0,
    err: "",
    out: [
      `Port ${mock.port} is taken. Using port ${port} instead.`,
      "",
      ...serviceNames.map((name) => `  ${name.padEnd(longest)}  http://127.0.0.1:${port}${paths[name] ?? `/${name}`}`),
      "",
      "Any key is valid. Press Ctrl-C to stop.",
      "",
    ].join("\n"),
  });
});
