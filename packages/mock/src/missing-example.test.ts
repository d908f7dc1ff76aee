import { readFileSync } from "node:fs";
import { readDocument, responseOf } from "@trainyard/document";
import { messageOf } from "@trainyard/host";
import { expect, it } from "vitest";
import { caller } from "../test/call.ts";
import { mockService, type ServiceName } from "./index.ts";
import { documentOf, serviceNames } from "./services.ts";

const messages = [{ role: "user", content: "When does the next train leave Voss?" }];
const gone = "0d5c8b7a-e19f-4236-a4b8-3f7e6c2d1950";
const other = "3f2b8c1e-7a54-4d0e-9c61-2b8f5d3a9e70";
const instructions = { project_id: "harbor/support-desk", object_id: "agent-1-instructions" };
const chat = (model: string) => ({ model, messages });
const stepNine = "artifact:///harbor/support-desk/agent-1:step9";

/** Requests that contain a name from a document's 404, with the example, and requests that do not. */
const requests: [service: ServiceName, route: string, body: object | undefined, example: string | undefined][] = [
  ["inference", "POST /chat/completions", chat("demo/gigantic"), "unknown-model"],
  ["inference", "POST /chat/completions", { ...chat("demo/gigantic"), stream: true }, "unknown-model"],
  ["inference", "POST /chat/completions", chat("acme/none"), undefined],
  ["inference", "POST /chat/completions", chat("model"), undefined],
  ["inference", "POST /chat/completions", { ...chat("demo/tiny"), user: "The model" }, undefined],
  ["training", "POST /v1/chat/completions", chat("demo/gigantic"), "unknown-model"],
  ["training", "POST /v1/chat/completions/", chat("demo/gigantic"), "unknown-model"],
  ["training", "POST /v1/chat/completions", chat(stepNine), "unknown-checkpoint"],
  ["training", `DELETE /v1/preview/models/${gone}`, undefined, "unknown-model"],
  ["training", `GET /v1/preview/models/${gone}/checkpoints`, undefined, "unknown-model"],
  ["training", "POST /v1/preview/training-jobs", { model_id: gone, trajectory_groups: [] }, "unknown-model"],
  ["training", `DELETE /v1/preview/models/${other}`, undefined, undefined],
  ["auxiliary", "POST /obj/read", { ...instructions, digest: "v7" }, "unknown"],
  ["auxiliary", "POST /obj/read", { ...instructions, digest: "v1" }, "deleted"],
  ["auxiliary", "POST /obj/read", { ...instructions, object_id: "prompt", digest: "v7" }, undefined],
];

it.each(requests)("of %s: %s with %j gets %s", async (service, route, body, example) => {
  const { status, headers } = await caller(mockService(service).connect())(route, { body });
  const shown = headers.get("x-trainyard-example");
  expect({ status, shown: status === 404 ? shown : undefined }).toEqual({
    status: example ? 404 : 200,
    shown: example,
  });
});

it("is described in the README, with each name that the documents show", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const errors = serviceNames
    .flatMap((name) => readDocument(documentOf(name)).operations)
    .flatMap((operation) => [...(responseOf(operation, 404)?.content.values() ?? [])])
    .flatMap(({ examples }) => [...examples.values()].map((error) => messageOf(error) ?? ""));
  // The error of a new operation may quote no name.
  const named = errors.filter((text) => text.split(/[\s.]+/).some((word) => /[^a-z]/i.test(word)));
  const undescribed = named.filter((text) => !text.split(/[\s.]+/).some((word) => isName(word, readme)));
  expect(undescribed, "Add these names of the documents' examples to packages/mock/README.md, below the 404").toEqual(
    [],
  );
});

/** Whether the README contains a name from an error; an object's name and version may be apart. */
function isName(word: string, readme: string): boolean {
  const parts = readme.includes(`\`${word}\``) ? [word] : word.split(":");
  return /[^a-z]/i.test(word) && parts.every((part) => readme.includes(`\`${part}\``));
}

it("can be overridden by Prefer", async () => {
  const mock = mockService("inference");
  const send = caller(mock.connect());
  const body = chat("demo/gigantic");
  const headers = { prefer: "example=plain" };
  expect(await send("POST /chat/completions", { body, headers })).toMatchObject({ status: 200 });
  mock.once("chat.completions.create", { chunks: ["At 9:31."] });
  expect(await send("POST /chat/completions", { body })).toMatchObject({ status: 200 });
});

it("ignores names of valid requests, even if an error quotes them", async () => {
  const json = (examples: Record<string, unknown>) => ({
    "application/json": {
      schema: {},
      examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
    },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/orders": {
        post: {
          operationId: "order",
          requestBody: { content: json({ one: { shop: "shop-1", item: "item-1" } }) },
          responses: {
            "200": { description: "Done.", content: json({ one: {} }) },
            "404": { description: "Gone.", content: json({ gone: { detail: 'There is no "item-9" in shop-1.' } }) },
          },
        },
      },
    },
  };
  const send = caller(mockService(document).connect());
  const order = async (shop: string, item: string) => (await send("POST /orders", { body: { shop, item } })).status;
  expect([await order("shop-1", "item-1"), await order("shop-1", "item-2")]).toEqual([200, 200]);
  expect([await order("shop-1", "item-9"), await order("shop-2", "item-9")]).toEqual([404, 404]);
});
