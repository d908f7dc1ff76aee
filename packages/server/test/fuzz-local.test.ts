import { arbitraryOf, judgeOf } from "@trainyard/testing";
import { jsonOf } from "@trainyard/document";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readContracts } from "../src/http/documents.ts";
import { send, sharedServer } from "./lib.ts";

// Sends random requests to the control interface, as fuzz.test.ts does to the services. It needs its own server, because the
// planned faults, resets and clock changes would break other tests. `pnpm exec vitest run --project fuzz` sends 20,000 requests; `pnpm test` a few.
const total = Number(process.env["FUZZ_REQUESTS"] ?? 100);
const server = sharedServer();
const connection = server.connect("local");
const document = readContracts().find(({ name }) => name === "local")?.document;
if (document === undefined) throw new Error("The document of the control interface is missing.");
const { root, operations } = document;
const fits = judgeOf(root);
const { training } = server.clients("team-0");

it.each(operations.map((operation) => ({ operation, name: operation.name })))(
  "never fails at a request to $name that its document allows",
  async ({ operation }) => {
    const schema = operation.body && jsonOf(operation.body.content)?.schema?.node;
    const bodies = schema ? arbitraryOf(root, schema, fits) : fc.constant(undefined);
    const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
    const query = fc.record(
      Object.fromEntries(parameters.map(({ name, schema: { node } }) => [name, arbitraryOf(root, node, fits)])),
      { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
    );
    await fc.assert(
      fc.asyncProperty(bodies, query, fc.boolean(), async (body, values, exists) => {
        // An existing model, so that a request gets as far as possible.
        const same = { project: "p", name: "fuzzed", base_model: "demo/tiny", return_existing: true };
        const id = exists ? (await training.models.create(same)).id : "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
        // Do not wait up to half a minute for changes.
        const given: Record<string, string> = { model_id: id, wait_ms: "0" };
        const search = Object.entries(values).map(([key, value]) => [key, given[key] ?? String(value)]);
        const ending = new AbortController();
        const response = await send(
          connection,
          `${operation.path.replaceAll(/\{\w+\}/g, id)}?${new URLSearchParams(search)}`,
          {
            method: operation.method,
            signal: ending.signal,
            ...(body !== undefined && { body: JSON.stringify(body) }),
          },
        );
        // A stream continues for as long as it is read.
        if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
        else await response.text();
        ending.abort();
        expect([operation.name, response.status]).toEqual([operation.name, expect.toSatisfy((status) => status < 500)]);
        await server.control.faults.clear();
        server.setClock(undefined);
      }),
      { numRuns: Math.max(2, Math.ceil(total / operations.length)) },
    );
  },
  600_000,
);
