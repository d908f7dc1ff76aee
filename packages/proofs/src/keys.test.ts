/** No variable of ours reaches the server of somebody else: a stand-in keeps every byte that it receives. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateClient } from "@trainyard/codegen/generate-client";
import { readFile } from "@trainyard/document/files";
import { readDocument } from "@trainyard/document";
import { callCommand } from "@trainyard/live/call";
import { verifyCommand } from "@trainyard/live/verify";
import { root as workspace } from "@trainyard/release/workspace";
import { packages } from "@trainyard/testing/services";
import { describe, expect, it, onTestFinished, vi } from "vitest";

/** A server that keeps every byte, and answers each request with an empty object. */
async function standIn() {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received.push(bytes);
      socket.end(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
      );
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, bytes: () => Buffer.concat(received).toString("latin1") };
}

const document = (title: string, securitySchemes: Record<string, object>): object => ({
  openapi: "3.0.3",
  info: { title, version: "1" },
  paths: Object.fromEntries(
    Object.keys(securitySchemes).map((name) => [
      `/${name}`,
      {
        get: {
          operationId: `get_${name}`,
          security: [{ [name]: [] }],
          responses: { 200: { description: "", content: { "application/json": { schema: { type: "object" } } } } },
        },
      },
    ]),
  ),
  components: { securitySchemes },
});

const bearer = { type: "http", scheme: "bearer" };
/** As vendors write them, also with schemes whose variables would be ours, or those of other tools. */
const strangers: readonly (readonly [file: string, document: object])[] = [
  ["lago.json", document("Lago API documentation", { bearerAuth: bearer })],
  ["github.json", document("GitHub", { token: bearer, accessToken: { type: "http", scheme: "basic" } })],
  [
    "api.json",
    document("Trainyard", {
      key: { type: "apiKey", in: "query", name: "api_key" },
      apiKey: { type: "apiKey", in: "header", name: "X-Key" },
      api_key: { type: "apiKey", in: "cookie", name: "sid" },
      basicKey: { type: "http", scheme: "basic" },
      oauth: { type: "oauth2", flows: {} },
    }),
  ],
];

const names = [
  "API_KEY ACCESS_TOKEN BASIC_KEY CONTROL_KEY UPSTREAM_KEY KEY TOKEN BEARER_AUTH OAUTH URL DATA".split(" "),
  packages.map(({ name }) => `${name.toUpperCase()}_URL`),
].flat();
/** The variables of ours, and those that a title or a scheme of the documents would name. */
const environment = Object.fromEntries(
  [...names.map((name) => `TRAINYARD_${name}`), "GITHUB_TOKEN", "LAGO_API_KEY", "API_KEY"].map((name) => [
    name,
    name.endsWith("_URL") ? `http://leak-${name.toLowerCase()}.invalid` : `leak+${name}`,
  ]),
);

/** The forms of a secret that a request could have. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  btoa(secret).replace(/=+$/, ""),
  btoa(`api:${secret}`).replace(/=+$/, ""),
];

function expectNoLeak(bytes: string): void {
  for (const value of Object.values(environment)) for (const form of formsOf(value)) expect(bytes).not.toContain(form);
  expect(bytes).not.toMatch(/leak|trainyard/i);
}

describe.each(strangers)("%s", (file, stranger) => {
  const folderWith = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "keys-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, file), JSON.stringify(stranger));
    return folder;
  };

  it("its client sends the keys of its options alone, and not our name", { tags: ["long"] }, async () => {
    const folder = folderWith();
    mkdirSync(join(folder, "node_modules/@trainyard"), { recursive: true });
    symlinkSync(join(workspace, "packages/core"), join(folder, "node_modules/@trainyard/core"), "junction");
    const { client, variables } = await generateClient(file, { root: folder, out: "src/api" });
    expect(variables).toEqual([]);
    const { [client]: create } = await import(join(folder, "src/api/index.ts"));
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { address: baseUrl, bytes } = await standIn();
    expect(() => create()).toThrow(/pass baseUrl\.$/);
    const { operations } = readDocument((await readFile(file, { root: folder })).document);
    const schemes = operations.flatMap(({ security }) => security.flat());
    const all = Object.fromEntries(schemes.map(({ name }) => [name, "own-key"]));
    const without = create({ baseUrl });
    for (const { name } of operations) {
      const method = name.split(".").reduce((part, key) => part[key], without);
      await expect(method.call(without)).rejects.toThrow(/^[\w.]+: needs a key: pass \w+\.$/);
    }
    for (const options of [all, { ...Object.fromEntries(schemes.map(({ name }) => [name, null])), apiKey: null }]) {
      const made = create({ baseUrl, ...options, maxRetries: 0 });
      for (const { name } of operations) {
        const method = name.split(".").reduce((part, key) => part[key], made);
        expect(await method.call(made)).toEqual({});
      }
    }
    expectNoLeak(bytes());
    const sent = [...bytes().matchAll(/own-key|b3duLWtleQ|YXBpOm93bi1rZXk/g)];
    expect(sent).toHaveLength(schemes.length);
  });

  it("`call` sends the key of its file in its declared place, and nothing else of ours", async () => {
    const folder = folderWith();
    const path = join(folder, file);
    const { address, bytes } = await standIn();
    const run = async (own: Record<string, string>, ...args: string[]) => {
      let [out, err] = ["", ""];
      const code = await callCommand([...args, "--document", path, "--allow", folder, "--base-url", address], [], {
        out: (text) => (out += String(text)),
        err: (text) => (err += text),
        environment: { ...environment, ...own },
      });
      return { code, out, err };
    };
    const { operations } = readDocument((await readFile(path, { root: folder })).document);
    const variable = `TRAINYARD_${file.replace(".json", "").toUpperCase()}_API_KEY`;
    for (const { name } of operations) {
      expect(await run({}, name)).toMatchObject({
        code: 2,
        err: expect.stringContaining("needs a key: set TRAINYARD_"),
      });
      expect(bytes()).toBe("");
      const { out } = await run({ [variable]: "own-key" }, name, "--dry-run");
      expect(out).toMatch(new RegExp(`\\$${variable}|\\[key\\]`));
      expect(out).not.toMatch(/own-key|leak/);
    }
    for (const { name } of operations) expect(await run({ [variable]: "own-key" }, name)).toMatchObject({ code: 0 });
    expectNoLeak(bytes());
    expect([...bytes().matchAll(/own-key|YXBpOm93bi1rZXk/g)]).toHaveLength(operations.length);
    await run({}, "GET", "/nothing");
    expectNoLeak(bytes());
  });

  it("`verify` sends no key of ours", async () => {
    const folder = folderWith();
    const { address, bytes } = await standIn();
    const args = ["--document", join(folder, file), "--allow", folder, "--read", address];
    await verifyCommand(args, [], { out: () => undefined, err: () => undefined, environment });
    expect(bytes()).toContain("GET /");
    expectNoLeak(bytes());
  });
});
