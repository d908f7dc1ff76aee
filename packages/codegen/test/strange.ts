/** Clients of documents that are unlike ours: written, compiled, and connected to a server. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { clientSource, httpSource } from "../src/client-writer.ts";
import type { OpenApiDocument, Schema } from "@trainyard/document/files";
import { judge } from "../src/read-service.ts";
import { schemaTypes } from "../src/schema-types.ts";
import { typeTestSource } from "../src/type-test-writer.ts";
import { validatorsModule } from "../src/validators.ts";

const cache = join(import.meta.dirname, "../.cache");
const workspace = join(import.meta.dirname, "../../..");
const core = join(workspace, "packages/core/src");

/** An operation of a test: its method and path, and its keys beside the name. */
export type Strange = Readonly<Record<string, object>>;

/** A document of operations: `{ "things.get GET /things/{id}": { responses } }`. */
export function documentOf(operations: Strange, schemas: Record<string, Schema> = {}): OpenApiDocument {
  const paths: Record<string, object> = {};
  for (const [line, operation] of Object.entries(operations)) {
    const [name = "", method = "", path = ""] = line.split(" ");
    const named = { operationId: name, "x-client-method": name, "x-resend": "never", ...operation };
    paths[path] = { ...paths[path], [method.toLowerCase()]: named };
  }
  return {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info: { title: "Strange", version: "1" },
    paths,
    components: { schemas },
  };
}

/** The types, the client and its type tests in a folder of their own. */
export async function written(document: OpenApiDocument): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "strange-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { service, faults } = judge("strange", document);
  expect(faults).toEqual([]);
  writeFileSync(join(folder, "schema.ts"), await schemaTypes(service.document, service.operations));
  writeFileSync(join(folder, "client.ts"), clientSource(service));
  writeFileSync(join(folder, "http.ts"), httpSource(service));
  writeFileSync(join(folder, "client.test-d.ts"), typeTestSource(service));
  await validatorsModule(service.document);
  return folder;
}

/** The compiler errors of a client and a program beside it. */
export async function compile(folder: string, program: string): Promise<string[]> {
  writeFileSync(join(folder, "program.ts"), program);
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { "@trainyard/core": [join(core, "index.ts")], "@trainyard/core/http": [join(core, "http.ts")] },
  };
  const settings = { extends: join(workspace, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(workspace, "node_modules/typescript/bin/tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { cwd: folder });
    return [];
  } catch (error) {
    return String(Object(error).stdout)
      .split("\n")
      .filter((line) => /^[a-z]/.test(line));
  }
}

export type Method = (...given: unknown[]) => Promise<unknown> & { withResponse(): Promise<{ response: Response }> };

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** Clients of a real server, methods and by path. */
export async function connected(
  folder: string,
  answer: (received: Received, response: ServerResponse) => void,
  keys: object = {},
): Promise<{
  client: Record<string, Record<string, Method>>;
  http: Record<string, (path: string, options?: object) => Promise<{ data?: unknown; response: Response }>>;
}> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { method = "", url = "", headers } = request;
    answer({ method, url, headers, body: Buffer.concat(pieces) }, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const options = { baseUrl: `http://127.0.0.1:${Object(server.address()).port}`, maxRetries: 0, ...keys };
  const { createStrangeClient } = await import(join(folder, "client.ts"));
  const { createStrangeHttp } = await import(join(folder, "http.ts"));
  return { client: createStrangeClient(options), http: createStrangeHttp(options) };
}

export const described = (content?: object) => ({ description: "", ...(content && { content }) });
export const thing = { schema: { type: "object", required: ["n"], properties: { n: { type: "number" } } } };
