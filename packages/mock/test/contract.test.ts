import {
  answerSchema,
  bodyExamples,
  type Case,
  cases,
  examplesOf,
  packages,
  statusesOf,
} from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { mockService } from "../src/index.ts";
import { caller, type Call } from "./call.ts";

const id = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mocks = new Map(packages.map(({ name, document }) => [name, mockService(document)]));
const callOf = (service: string) => caller(mocks.get(service)?.connect() ?? mockService("training").connect());
const routeOf = ({ operation: { method, path, parameters } }: Case) => {
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const pairs = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return `${method} ${path.replace(/\{.*?\}/g, id)}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`;
};

describe.each(cases)("$service $operation.method $operation.path", (entry) => {
  const { operation, service } = entry;
  const call = callOf(service);
  const route = routeOf(entry);

  it("accepts each example of its body, and returns each example of each response", async () => {
    for (const [name, body] of bodyExamples(entry))
      expect([name, (await call(route, { body })).status]).toEqual([name, 200]);
    const body: unknown = bodyExamples(entry).values().next().value;
    const streamed = operation.stream?.toggle !== undefined && { ...Object(body), [operation.stream.toggle]: true };
    for (const status of statusesOf(operation)) {
      for (const [mediaType, named] of examplesOf(operation, status)) {
        for (const [name, value] of named) {
          const request = { body: mediaType === "text/event-stream" ? streamed : body };
          const answer = await call(route, { ...request, headers: { prefer: `code=${status}, example=${name}` } });
          expect([status, name, answer.status, answer.body]).toEqual([status, name, status, value]);
          const retryAfter = Number(answer.headers.get("retry-after"));
          expect([status, retryAfter > 0 || ![429, 503].includes(status)]).toEqual([status, true]);
        }
      }
    }
  });

  it("requires a key before anything else is checked", async () => {
    const { security, body } = operation;
    const open = security.length === 0 || security.some((schemes) => schemes.length === 0);
    const { status } = await call(route, { key: null, body: body && "{nonsense" });
    // An open operation validates the request.
    expect(status).toBe(open ? (body ? 422 : 200) : 401);
  });
});

/** The path parameters, each with whether the document requires a UUID. */
const pathIds = cases.flatMap((entry) =>
  entry.operation.parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name, schema, example }) => ({
      name,
      entry,
      isUuid: schema.node["format"] === "uuid" || uuid.test(String(example)),
    })),
);

it.each(pathIds)("$entry.operation.method $entry.operation.path with a $name that is not a UUID", async (parameter) => {
  const { name, entry, isUuid } = parameter;
  const route = routeOf({ ...entry, operation: withWord(entry.operation, name) });
  const { status, body } = await callOf(entry.service)(route, goodRequest(entry));
  const expected = isUuid ? (entry.operation.responses.has("404") ? 404 : 422) : 200;
  expect(status).toBe(expected);
  expect([body, entry.fits(Object(answerSchema(entry, expected)), body)]).toEqual([body, true]);
});

function withWord(operation: Case["operation"], parameter: string): Case["operation"] {
  return { ...operation, path: operation.path.replace(`{${parameter}}`, "agent-1") };
}

/** A valid request from the document's own example. */
function goodRequest(entry: Case): Call {
  const [body] = bodyExamples(entry).values();
  return { body };
}

const chat = (messages: unknown, extra: object = {}) => ({ body: { model: "demo/tiny", messages, ...extra } });

describe("an invalid request", () => {
  const message = { role: "user", content: "Hello" };
  const log = (item: unknown) => ({
    body: { split: "val", trajectory_groups: [{ trajectories: [{ messages_and_choices: [message, item] }] }] },
  });
  const item = "body.trajectory_groups.0.trajectories.0.messages_and_choices.1";
  const stats = { project_id: "demo/agents", start: "2026-01-01T00:00:00" };
  const models = "training POST /v1/preview/models";
  const logs = `${models}/${id}/log`;
  const checkpoints = `training GET /v1/preview/models/${id}/checkpoints`;
  const jobs = "training POST /v1/preview/training-jobs";
  const chats = "training POST /v1/chat/completions/";
  const feedback = "auxiliary POST /feedback/stats";

  it.each<[target: string, request: Call, fault: string]>([
    [models, { body: "{" }, "body json_invalid"],
    [models, {}, "body missing"],
    [models, { body: [] }, "body dict_type"],
    [models, { body: { name: "a", base_model: "b", project: null } }, "body.project string_type"],
    [logs, log({ ...message, role: "usr" }), `${item}.role union_tag_invalid`],
    [logs, log({ role: "tool", content: "x" }), `${item}.tool_call_id missing`],
    [logs, log({ role: "user", content: 5 }), `${item}.content string_type`],
    [logs, log({ finish_reason: "x", index: 0, message: { role: "assistant" } }), `${item}.finish_reason enum`],
    [logs, { ...log(message), headers: { "idempotency-key": "x".repeat(256) } }, "header.Idempotency-Key too_long"],
    [jobs, { body: { model_id: "agent-1", trajectory_groups: [] } }, "body.model_id uuid_parsing"],
    [chats, chat([{ ...message, role: "usr" }]), "body.messages.0.role union_tag_invalid"],
    [`${checkpoints}?limit=101`, {}, "query.limit less_than_equal"],
    [`${checkpoints}?order=up`, {}, "query.order enum"],
    [feedback, { body: { ...stats, granularity: -1 } }, "body.granularity greater_than_equal"],
    [feedback, { body: { ...stats, start: "yesterday" } }, "body.start datetime_parsing"],
    [feedback, { body: { ...stats, strat: 1 } }, "body.strat extra_forbidden"],
    [feedback, metric({ json_path: "a", vale_type: 1 }), "body.metrics.0.vale_type extra_forbidden"],
    ["auxiliary GET /inference/vendor/v2/hardware", {}, "query.model missing"],
  ])("to %s with %j gets the one fault %s", async (target, request, fault) => {
    const [service = "", ...route] = target.split(" ");
    const { status, body } = await callOf(service)(route.join(" "), request);
    const faults: { loc: unknown[]; msg: string; type: string }[] = Object(body).detail;
    expect([status, faults.map(({ loc, type }) => `${loc.join(".")} ${type}`)]).toEqual([422, [fault]]);
    expect(faults[0]?.msg).toMatch(/^["A-Z].*\.$/);
  });

  function metric(one: object) {
    return { body: { ...stats, metrics: [one] } };
  }

  it.each([{ json_path: "output.score", percentiles: [101] }])(
    "to statistics with a metric that cannot be calculated gets 400, in the document's word: %j",
    async (one) => {
      const { status, body } = await callOf("auxiliary")("POST /feedback/stats", metric(one));
      const reason = expect.stringMatching(/^metrics\[0\]\./);
      expect([status, body]).toEqual([400, { reason, error_type: "invalid_metric" }]);
    },
  );

  const code = "invalid_value";
  const usr = { ...message, role: "usr" };

  it.each<[string, Call, object]>([
    ["a wrong role", chat([message, usr]), { param: "messages[1].role", code }],
    ["no model", { body: { messages: [message] } }, { param: "model", code, message: '"model" is required.' }],
    ["a temperature", chat([message], { temperature: 3 }), { message: "temperature: This must be at most 2." }],
    ["malformed JSON", { body: "{" }, { param: null, code: "json_invalid" }],
    ["a project", { ...chat([message]), headers: { "compat-project": "harbor" } }, { param: "Compat-Project" }],
  ])("to inference with %s gets 400", async (_, request, expected) => {
    const { status, body } = await callOf("inference")("POST /chat/completions", request);
    const error: unknown = expect.objectContaining({ type: "invalid_request_error", ...expected });
    expect([status, body]).toEqual([400, { error }]);
  });
});
