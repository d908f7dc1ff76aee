/** Open sets in responses: what their types allow under both compilers, and what their validators accept. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildValidators } from "./validators.ts";
import { generate } from "./generate.ts";

const repository = join(import.meta.dirname, "../../..");
const cache = join(import.meta.dirname, "../.cache");
const core = join(repository, "packages/core/src");
const require = createRequire(import.meta.url);
// This package's own compiler is 5.9, because openapi-typescript needs it. The other one checks everything else.
const compilers = {
  "5.9": require.resolve("typescript/bin/tsc"),
  "7": join(repository, "node_modules/typescript/bin/tsc"),
};

const event = (type: string, data: object) => ({
  title: type,
  type: "object",
  required: ["id", "type", "data"],
  properties: {
    id: { type: "string", description: `The id of ${type}.` },
    type: { type: "string", const: type },
    data,
  },
});
const [started, failed] = ["Started", "Failed"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
const document = {
  openapi: "3.1.0",
  "x-trainyard": 1,
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: { title: "Works", version: "1.0.0" },
  servers: [{ url: "http://127.0.0.1:4010" }],
  paths: {
    "/works": {
      post: {
        operationId: "work",
        "x-client-method": "works.get",
        "x-resend": "always",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Work" } } } },
        responses: {
          "200": {
            description: "The work.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Work" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Work: {
        type: "object",
        required: ["status", "events"],
        properties: {
          status: { type: "string", enum: ["queued", "done"], "x-extensible": true },
          reason: { type: ["string", "null"], enum: ["bored", null], "x-extensible": true },
          events: { type: "array", items: { $ref: "#/components/schemas/Event" } },
        },
      },
      Event: {
        type: "object",
        "x-extensible": true,
        oneOf: [started, failed],
        discriminator: {
          propertyName: "type",
          mapping: { started: "#/components/schemas/Started", failed: "#/components/schemas/Failed" },
        },
      },
      Started: event("started", { type: "object", required: ["size"], properties: { size: { type: "integer" } } }),
      Failed: event("failed", { type: "object", required: ["why"], properties: { why: { type: "string" } } }),
    },
  },
};

let root = "";
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  root = mkdtempSync(join(cache, "open-sets-"));
  mkdirSync(join(root, "openapi/works"), { recursive: true });
  mkdirSync(join(root, "packages/works/src"), { recursive: true });
  writeFileSync(join(root, "openapi/works/openapi.yaml"), JSON.stringify(document));
  writeFileSync(join(root, "packages/works/package.json"), '{ "type": "module" }');
  await generate(root);
  await buildValidators(root, "works");
});
afterAll(() => rmSync(root, { recursive: true }));

const program = `
import type { Unlisted } from "@trainyard/core";
import type { Event, Failed, UnlistedEvent, Work } from "./src/generated/schema.ts";

declare const work: Work;
declare const event: Event;

// Reading: the listed ones narrow, and \`default\` is what is not listed.
export function tell(): string {
  switch (event.type) {
    case "started":
      return String(event.data.size);
    case "failed":
      return event.data.why;
    default: {
      const rest: UnlistedEvent = event;
      const kind: string = rest.type;
      return rest.id + kind + String(rest.data);
    }
  }
}
if (event.type === "started") event.data.size.toFixed();
else if (event.type !== "failed") event.type satisfies Unlisted;
export type Same = Extract<Event, { type: "failed" }>;
export const same: Failed = null! as Same;
export const ids: string[] = work.events.map(({ id }) => id);
export const done: boolean = work.status === "done";
switch (work.status) {
  case "queued":
  case "done":
    break;
  default:
    work.status satisfies Unlisted;
}
export const text: string = work.status;

// Writing: what is listed, and what came.
export const written: Work = { status: "done", reason: null, events: [{ id: "1", type: "failed", data: { why: "" } }] };
export const again: Work = { ...work, status: work.status, events: [...work.events] };
// @ts-expect-error It is no listed status.
export const paused: Work["status"] = "paused";
// @ts-expect-error It is no listed kind.
export const rested: Event = { id: "1", type: "rested", data: {} };
// @ts-expect-error A comparison that can never hold.
export const never: boolean = work.status === "paused";
`;

it("narrows, and rejects unlisted members, under TypeScript 7", () => compile(compilers[7]));
it("narrows, and rejects unlisted members, under TypeScript 5.9", { tags: ["long"] }, () => compile(compilers[5.9]));

async function compile(tsc: string): Promise<void> {
  const folder = join(root, "packages/works");
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { "@trainyard/core": [join(core, "index.ts")] },
  };
  const extend = join(repository, "tsconfig.base.json");
  writeFileSync(join(folder, "program.ts"), program);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: extend, compilerOptions, include: ["program.ts", "src/generated/schema.ts"] }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout.split("\n").filter((line) => /^(src|program)\b/.test(line))).toEqual([]);
}

it("accepts unlisted members, and validates listed ones", async () => {
  const { isEvent, isWork } = await import(
    /* @vite-ignore */ pathToFileURL(join(root, "packages/works/dist/validators.js")).href
  );
  const of = (type: unknown, data: unknown = {}) => ({ id: "1", type, data });
  expect(isEvent(of("started", { size: 1 }))).toBe(true);
  expect(isEvent(of("rested", { hours: 8 }))).toBe(true);
  expect(isEvent({ id: "1", type: "rested" })).toBe(true);
  expect(isEvent.faults(of("started"))).toMatchObject([{ loc: ["data", "size"], type: "missing" }]);
  expect(isEvent.faults({ type: "rested" })).toMatchObject([{ loc: ["id"], type: "missing" }]);
  expect(isEvent.faults({ id: "1" })).toMatchObject([{ loc: ["type"], type: "missing" }]);
  expect(isEvent.faults(of(5))).toMatchObject([{ loc: ["type"], type: "string_type" }]);
  expect(isEvent.faults([])).toMatchObject([{ loc: [], type: "dict_type" }]);
  const work = { status: "paused", reason: "tired", events: [of("rested")] };
  expect(isWork.faults(work)).toEqual([]);
  expect(isWork.faults({ ...work, status: null })).toMatchObject([{ loc: ["status"], type: "string_type" }]);
  expect(isWork({ ...work, reason: null })).toBe(true);
});
