/** Names in the examples of a 404 do not exist in the mock and in the local server, and both return the same message. */
import { mockService } from "@trainyard/mock";
import { createServer } from "@trainyard/server";
import { afterAll, expect, it } from "vitest";

const server = createServer({ keys: [{ key: "key-of-harbor", entity: "harbor" }] });
afterAll(() => server.close());

const messages = [{ role: "user", content: "When does the next train leave Voss?" }];
const model = "0d5c8b7a-e19f-4236-a4b8-3f7e6c2d1950";
const job = "7c3e1f95-a0d4-4b68-92e7-5f8b6d0c1a24";
const stepNine = "artifact:///harbor/support-desk/agent-1:step9";
const object = { project_id: "harbor/support-desk", object_id: "agent-1-instructions", digest: "v7" };

const requests: [service: "training" | "inference" | "auxiliary", method: string, path: string, body?: object][] = [
  ["inference", "POST", "/chat/completions", { model: "demo/gigantic", messages }],
  ["inference", "GET", "/models/demo%2Fgigantic"],
  ["training", "POST", "/v1/chat/completions", { model: "demo/gigantic", messages }],
  ["training", "POST", "/v1/chat/completions", { model: stepNine, messages }],
  ["training", "DELETE", `/v1/preview/models/${model}`],
  ["training", "GET", `/v1/preview/models/${model}/checkpoints`],
  ["training", "DELETE", `/v1/preview/models/${model}/checkpoints`, { steps: [0] }],
  ["training", "POST", `/v1/preview/models/${model}/log`, { split: "val", trajectory_groups: [] }],
  ["training", "POST", "/v1/preview/training-jobs", { model_id: model, trajectory_groups: [] }],
  ["training", "GET", `/v1/preview/training-jobs/${job}`],
  ["training", "GET", `/v1/preview/training-jobs/${job}/events`],
  ["auxiliary", "POST", "/obj/read", object],
];

it.each(requests)("%s: %s %s gets the same response", async (service, method, path, body) => {
  const send = async ({ baseUrl, apiKey, fetch }: ReturnType<typeof server.connect>) => {
    const init = { method, headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" } };
    const response = await fetch(baseUrl + path, { ...init, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: wordsOf(await response.json()) };
  };
  const shown = await send(mockService(service).connect());
  const own = await send(server.connect(service));
  expect({ ...own, isSame: own.body.startsWith(shown.body) }).toEqual({ ...own, status: 404, isSame: true });
  expect(shown.status).toBe(404);
});

/** The message of an error, with its code if it has one. The local server appends what exists instead. */
function wordsOf(body: unknown): string {
  const { detail, reason, error_type, error } = Object(body);
  return [error?.code, error?.type, error?.param, error_type, error?.message ?? detail ?? reason].join(" ");
}
