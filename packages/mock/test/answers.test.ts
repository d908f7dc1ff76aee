/** Responses that the document allows reach the caller unchanged; for others, the error contains the path of the fault. */
import { ContractError, DecodeError, TrainyardError, type CallOptions } from "@trainyard/core";
import { formatLoc } from "@trainyard/core/validation";
import * as fc from "fast-check";
import {
  all,
  answerGuard,
  answerSchema,
  bodyExamples,
  type Case,
  isPage,
  isStream,
  methodCases,
  methodOf,
  packages,
  statusesOf,
  streaming,
} from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { applyMutation, arbitraryOf, mutationsOf, tries } from "@trainyard/testing";

const runs = tries(100);

async function setUp(entry: Case) {
  const { client, document, operation, fits } = entry;
  const validators = await client.validators();
  const table = client.operations.get(operation.name);
  const [body] = bodyExamples(entry).values();
  const sample = (schema: unknown) => arbitraryOf(document, schema, fits).map(overJson);

  /** Calls the method, and returns the test's response to it. */
  const answered = (response: Response, sent: unknown = body, options?: CallOptions) => {
    const connection = { baseUrl: "http://127.0.0.1", apiKey: "a-key", maxRetries: 0 };
    const fetch = () => Promise.resolve(response);
    return methodOf(client.connect({ ...connection, fetch, validators, validate: "responses" }), entry)(sent, options);
  };
  return { table, body, sample, answered };
}

const overJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const validators = new Map(await Promise.all(packages.map(async (one) => [one.name, await one.validators()] as const)));
const judged = methodCases.filter(
  ({ service, operation }) => answerGuard(validators.get(service) ?? {}, operation.name) !== undefined,
);
const streamed = methodCases.filter(({ client, operation }) => client.operations.get(operation.name)?.stream);

describe.each(methodCases)("$service $operation.name", async (entry) => {
  const { operation } = entry;
  const { table, sample, answered } = await setUp(entry);
  const isText = table?.accept !== undefined;
  const answers = isText ? fc.string() : sample(answerSchema(entry, 200));

  it("returns any valid answer unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const result = await answered(isText ? new Response(String(answer)) : Response.json(answer));
        expect(isPage(result) ? result.data : result).toEqual(isPage(result) ? Object(answer).data : answer);
      }),
      runs,
    );
  });

  it.each(statusesOf(operation).filter((status) => status >= 300))(
    "throws any valid error %i with its body unchanged",
    async (status) => {
      const errors = sample(answerSchema(entry, status));
      await fc.assert(
        fc.asyncProperty(errors, async (body) => {
          const error = await answered(Response.json(body, { status })).catch((reason: unknown) => reason);
          if (!(error instanceof TrainyardError))
            throw new Error("The error is not a TrainyardError.", { cause: error });
          expect(error).toMatchObject({ status, body });
        }),
        tries(20),
      );
    },
  );
});

it.each(judged)("$service $operation.name reports the path of a fault in an answer", async (entry) => {
  const { document, fits } = entry;
  const { sample, answered } = await setUp(entry);
  const schema = answerSchema(entry, 200);
  const faulty = fc.tuple(sample(schema), fc.nat()).map(([answer, choice]) => {
    const mutations = mutationsOf(document, schema, answer, fits, [], (one) => one["x-extensible"] === true);
    const mutation = mutations[choice % mutations.length];
    return mutation && { mutation, answer: applyMutation(answer, mutation) };
  });
  await fc.assert(
    fc.asyncProperty(faulty, async (found) => {
      fc.pre(found !== undefined && !fits(Object(schema), JSON.parse(JSON.stringify(found.answer))));
      const error = await answered(Response.json(found?.answer)).catch((reason: unknown) => reason);
      // Of an answer that is no object, or has no property left, the client names no property.
      if (error instanceof DecodeError) {
        const left = Array.isArray(found?.answer) ? [] : Object.keys(Object(found?.answer));
        expect(left).toEqual([]);
        return;
      }
      if (!(error instanceof ContractError)) throw new Error("The fault was not found.", { cause: error });
      const locations = error.issues.map(({ path = [] }) => formatLoc(path.map((step) => Object(step).key ?? step)));
      expect(locations).toEqual([formatLoc(found?.mutation.loc ?? [])]);
    }),
    runs,
  );
});

it.each(streamed)("$service $operation.name streams any valid events, split into any chunks", async (entry) => {
  const { table, body, sample, answered } = await setUp(entry);
  const one = sample(answerSchema(entry, 200, "text/event-stream"));
  const events = fc.array(
    one.filter((value) => !Object(value).error),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.integer({ min: 1, max: 99 }),
      async (items, line, size) => {
        const frames = [...items.map((item) => JSON.stringify(item)), table?.stream?.end ?? ""];
        const bytes = new TextEncoder().encode(frames.map((data) => `data: ${data}${line}${line}`).join(""));
        const stream = await answered(inPieces(bytes, size), table && streaming(table, body));
        if (!isStream(stream)) throw new Error("The result is not a stream.");
        expect(await all(stream)).toEqual(items);
      },
    ),
    runs,
  );
});

function inPieces(bytes: Uint8Array, size: number): Response {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}
