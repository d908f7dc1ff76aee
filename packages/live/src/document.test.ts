import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { host } from "@trainyard/host";
import { readDocument } from "@trainyard/document";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { callCommand } from "./call/command.ts";
import { verifyCommand } from "./verify/command.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-document-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, "shop.example.yaml");
const text = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: "http://shop.test" }]
paths:
  /orders:
    get:
      operationId: listOrders
      responses: { "200": { description: d, content: { application/json: { schema: { type: array } , example: [] } } } }
  /customers:
    get:
      operationId: listCustomers
      responses: { "200": { description: d, content: { application/json: { schema: { type: array }, example: [] } } } }
`;
writeFileSync(file, text);
const shop = host({ name: "shop", document: readDocument(parse(text)), prefix: "" }, {});

async function run(
  command: "call" | "verify",
  args: readonly string[],
  answer: (request: Request) => Promise<Response>,
) {
  let [out, err, sent] = ["", "", 0];
  const send: typeof fetch = (input, init) => {
    sent++;
    return answer(new Request(input, init));
  };
  const terminal = {
    out: (part: string | Uint8Array) => void (out += String(part)),
    err: (part: string) => void (err += part),
    environment: {},
    fetch: send,
  };
  const code = await (command === "call" ? callCommand(args, [], terminal) : verifyCommand(args, [], terminal));
  return { code, out, err, sent };
}

const fits = (request: Request) => shop.fetch(request);
const nothing = async () => Response.json({ error: "nothing here" }, { status: 404 });
const site = async () => new Response("<html>", { headers: { "content-type": "text/html" } });

it("calls an operation of any document", async () => {
  expect(await run("call", ["--document", file], fits)).toMatchObject({
    code: 0,
    out: expect.stringContaining("shop.example\n  listOrders"),
  });
  expect(await run("call", ["listOrders", "--document", file], fits)).toMatchObject({ code: 0, out: "[]\n" });
});

it("verifies the service of any document, at the address", async () => {
  const { code, out } = await run("verify", ["--document", file, "http://127.0.0.1:4010"], fits);
  expect([code, out]).toEqual([0, expect.stringContaining("shop.example at http://127.0.0.1:4010: no findings.")]);
});

it.each([
  ["returns 404 for each path", nothing, "GET /orders: status 404, GET /customers: status 404"],
  ["is a site", site, "GET /orders: Content-Type: text/html, GET /customers: Content-Type: text/html"],
])("says once that the document does not fit, and nothing else, if the service %s", async (_, answer, seen) => {
  expect(await run("verify", ["--document", file, "--base-url", "http://127.0.0.1:4010"], answer)).toMatchObject({
    code: 3,
    out: "",
    err: `The document of shop.example does not fit the service at http://127.0.0.1:4010: it has none of the 2 operations that were called (${seen}). Check --base-url and --document.\n`,
  });
});

it("names what it left on a service that the document does not fit", async () => {
  const things = join(folder, "things.json");
  const answered = (status: string) => ({ [status]: { description: "" }, 400: { description: "" } });
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const paths = {
    "/things": {
      get: { operationId: "list", responses: answered("200") },
      post: { operationId: "add", requestBody, responses: answered("201") },
    },
    "/things/{id}": { delete: { operationId: "remove", parameters: [id], responses: answered("204") } },
  };
  writeFileSync(things, JSON.stringify({ openapi: "3.1.0", info: { title: "Things", version: "1" }, paths }));
  const answer = async ({ method }: Request) =>
    method === "POST" ? Response.json({ id: "t1" }) : new Response(null, { status: method === "GET" ? 404 : 500 });
  const { code, err } = await run("verify", ["--document", things, "http://127.0.0.1:4010"], answer);
  expect([code, err]).toEqual([3, expect.stringContaining("does not fit")]);
  expect(err).toMatch(/# things add t1: not deleted, .*\ncurl -X DELETE 'http:\/\/127\.0\.0\.1:4010\/things\/t1'/);
});

it("reports an operation that one service does not have as a finding", async () => {
  const partly = (request: Request) => (request.url.endsWith("/orders") ? nothing() : shop.fetch(request));
  const { code, out } = await run("verify", ["--document", file, "--confirm", "shop.test"], partly);
  expect([code, out]).toEqual([1, expect.stringMatching(/contradicts +shop\.example listOrders/)]);
});

it.each([
  ["none.yaml", "none.yaml\n  This file does not exist."],
  ["empty.yaml", "empty.yaml:1\n  The file is empty."],
])("names what is wrong with %s, and sends nothing", async (name, message) => {
  writeFileSync(join(folder, "empty.yaml"), "");
  for (const command of ["call", "verify"] as const) {
    const { code, err, sent } = await run(command, ["--document", join(folder, name)], fits);
    expect({ code, err, sent }).toEqual({ code: 2, err: expect.stringContaining(message), sent: 0 });
  }
});

it("reads files of other folders only if they are allowed", async () => {
  const [inside, outside] = ["inside", "outside"].map((name) => join(folder, name));
  for (const path of [String(inside), String(outside)]) mkdirSync(path);
  const whole = join(String(inside), "openapi.yaml");
  writeFileSync(whole, text.replaceAll("schema: { type: array }", "schema: { $ref: ../outside/list.yaml }"));
  writeFileSync(join(String(outside), "list.yaml"), "type: array\n");
  const refused = await run("call", ["--document", whole], fits);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`--allow ${outside}`.replace(/ .*/, "")) });
  const allowed = await run("call", ["--document", whole, "--allow", folder], fits);
  expect(allowed).toMatchObject({ code: 0, err: "", out: expect.stringContaining("listOrders") });
});
