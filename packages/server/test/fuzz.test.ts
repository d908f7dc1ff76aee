import { formatLoc, isObject, type Fault, type JsonObject } from "@trainyard/core/validation";
import { applyMutation, arbitraryOf, judgeOf, mutationsOf, type Fits } from "@trainyard/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invalidStatus } from "@trainyard/host";
import { jsonOf, type Operation } from "@trainyard/document";
import { readContracts } from "../src/http/documents.ts";
import { send, sharedServer } from "./lib.ts";

// `pnpm exec vitest run --project fuzz` sends 20,000 requests to each operation; `pnpm test` a few.
const total = Number(process.env["FUZZ_REQUESTS"] ?? 100);
// A trainer that gets no jobs. Without a trainer, the system check returns 503.
const server = sharedServer({ limits: { requests: 1000 }, trainer: { command: [process.execPath], jobs: 0 } });

interface Case {
  readonly service: string;
  /** The bundled document. */
  readonly root: object;
  readonly operation: Operation;
  readonly schema: JsonObject;
  readonly fits: Fits;
}

const cases: Case[] = readContracts().flatMap((contract) => {
  const { name: service, document } = contract;
  if (service === "local") return [];
  const { root, operations } = document;
  const fits = judgeOf(root);
  return operations.map((operation) => {
    const schema = operation.body && jsonOf(operation.body.content)?.schema?.node;
    return { service, root, operation, schema: schema ?? {}, fits };
  });
});
const withBody = cases.filter(({ operation }) => operation.body !== undefined);
const share = (count: number) => ({ numRuns: Math.max(3, Math.ceil(total / count)) });

/** Ids that exist, so that a request gets as far as possible. */
const { training } = server.clients("team-0");
const model = await training.models.create({ project: "p", name: "fuzzed", base_model: "demo/tiny" });
const job = await training.trainingJobs.createRl({ model_id: model.id, trajectory_groups: [] });

/** Changes a random request so that it gets further: to an existing model, and a valid window. */
function deepen(name: string, body: unknown): unknown {
  if (!isObject(body)) return body;
  if (name.startsWith("trainingJobs.create")) return { ...body, model_id: model.id };
  if (name === "chat.completions.create") return { ...body, model: "demo/tiny" };
  if (name === "objects.read") return { ...body, project_id: "team-0/p", object_id: "o" };
  if (name !== "feedback.stats" || typeof body["start"] !== "string") return body;
  const start = new Date(`${body["start"].slice(0, 19)}Z`);
  const length = (start.getTime() % 31) * 86_400_000;
  const timezone = ["UTC", "America/New_York", "Australia/Lord_Howe", "nowhere"][start.getTime() % 4];
  return { ...body, project_id: "team-0/p", end: new Date(start.getTime() + length).toISOString(), timezone };
}

await server.import("objects", [{ project_id: "team-0/p", object_id: "o", val: {} }]);

/** A random request that the document allows. */
function callOf({ service, operation }: Case, body: unknown, query = "") {
  const id = operation.path.includes("job") ? job.id : model.id;
  // Deletions would break the other requests.
  const target = operation.name === "models.delete" ? "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30" : id;
  const path = operation.path.replaceAll(/\{\w+\}/g, target);
  return send(server.connect(service, "team-0"), path + query, {
    method: operation.method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Why a request that the document allows may be rejected, by the message of the response. */
const meanings: Readonly<Record<string, readonly RegExp[]>> = {
  // Requests that the tiny model does not support.
  "chat.completions.create": [
    /This requires logprobs: true/,
    /Tokens are the bytes 0 to 255/,
    /This model does not support grammars/,
    /The request has no tool /,
    /the request has no tools/,
    /Lower n, max_completion_tokens or top_logprobs/,
    /The schema (at \S+ )?(allows no value|contains itself|leads to itself|refers to|has the type|uses|needs|the pattern)/,
  ],
  "models.create": [/does not belong to the entity/, /There is no base model/, /already has a model/],
  "models.retrieve": [/The model .* does not exist/s],
  "models.delete": [/Model \S+ not found/],
  "models.checkpoints.list": [/not the id of an item/],
  "models.checkpoints.delete": [/newest checkpoint of a model cannot be deleted/],
  "trainingJobs.createSft": [/Training data (is|may not come from)/],
  "trainingJobs.events.list": [/not the id of an item/],
  "feedback.stats": [
    /The aggregation '(?!count')\w+' does not fit the categorical/,
    /The aggregation 'count_(true|false)' does not fit the numeric/,
    /both give the bucket key/,
    /json_path must not be blank/,
    /may hold only letters/,
    /must not end before it starts/,
    /must not be longer than/,
    /must end before the year 10000/,
    /Ask for larger buckets/,
    /time zone/i,
  ],
  "objects.read": [/not found/],
};

describe.each(cases)("$service $operation.name", (entry) => {
  const { root, operation, schema, fits } = entry;
  const bodies = operation.body ? arbitraryOf(root, schema, fits) : fc.constant(undefined);
  const query = fc
    .record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === "query")
          .map((parameter) => [parameter.name, arbitraryOf(root, parameter.schema.node, fits)]),
      ),
      {
        requiredKeys: operation.parameters
          .filter(({ required, in: source }) => required && source === "query")
          .map(({ name }) => name),
      },
    )
    .map((values) => `?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))}`);

  it("never fails on a request that the document allows", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, query, async (body, search) => {
        const response = await callOf(entry, deepen(operation.name, body), search);
        const text = await response.text();
        expect(response.status).toBeLessThan(500);
        // A request that the document allows is rejected only for its meaning.
        const allowed = response.status < 400 || meanings[operation.name]?.some((meaning) => meaning.test(text));
        expect([response.status, text, allowed]).toEqual([response.status, text, true]);
      }),
      share(cases.length),
    );
  }, 600_000);

  if (operation.body === undefined) return;
  it("reports every fault at its location", async () => {
    const faulty = fc.tuple(bodies, fc.nat()).map(([body, choice]) => {
      const mutations = mutationsOf(root, schema, body, fits);
      const mutation = mutations[choice % mutations.length];
      return mutation && { mutation, body: applyMutation(body, mutation) };
    });
    await fc.assert(
      fc.asyncProperty(faulty, async (found) => {
        fc.pre(found !== undefined && !fits(schema, found.body));
        if (found === undefined) return;
        const response = await callOf(entry, found.body);
        const answer: unknown = await response.json();
        const location = formatLoc(found.mutation.loc);
        const isMetric = operation.name === "feedback.stats" && response.status === 400;
        if (isMetric) expect(location).toMatch(/^metrics\[\d+\]\.percentiles/);
        else expect([response.status, locationOf(answer)]).toEqual([invalidStatus(root, operation), location]);
      }),
      share(withBody.length),
    );
  }, 600_000);
});

function locationOf(body: unknown): unknown {
  if (!isObject(body)) return undefined;
  const { detail, error } = body;
  if (isObject(error)) return error["param"] ?? "";
  const [first] = Array.isArray(detail) ? (detail as Fault[]) : [];
  return formatLoc(first?.loc.slice(1) ?? []);
}
