/** Runs each method of each client against a real Prism that serves the client's document. */
import { isObject } from "@trainyard/core/validation";
import {
  all,
  answerGuard,
  bodyExamples,
  byPath,
  cases,
  errorClass,
  isPage,
  isStream,
  methodCases,
  methodOf,
  packages,
  streaming,
  type Case,
} from "@trainyard/testing/services";
import { afterAll, describe, expect, it } from "vitest";
import { startPrism, type Prism } from "./prism.ts";
import { report } from "./report.ts";
import { shownBy, shownResponses, type ShownResponse } from "./shown-responses.ts";

const prisms = new Map<string, Prism>();
for (const { name, document } of packages) prisms.set(name, await startPrism(document));
const prismOf = (service: string): Prism => prisms.get(service) ?? expect.fail(`There is no Prism for ${service}.`);

afterAll(() => Promise.all([...prisms.values()].map((prism) => prism.close())));

/** The client of an operation at Prism. Its validators check every request and response. */
async function setUp(entry: Case) {
  const { client, service, operation } = entry;
  const table = client.operations.get(operation.name) ?? expect.fail(`The client has no ${operation.name}.`);
  const validators = await client.validators();
  const connection = { baseUrl: prismOf(service).url, apiKey: "a-key", maxRetries: 0 };
  const connected = client.connect({ ...connection, validators, validate: "both" });
  const guard = validators[answerGuard(validators, operation.name) ?? ""];
  const [body] = bodyExamples(entry).values();
  return {
    connected,
    /** A client whose key is removed from its requests. */
    keyless: client.connect({ ...connection, fetch: withoutKey }),
    table,
    body,
    call: methodOf(connected, entry),
    /** Whether the client's validator accepts an answer. If the contract does not define the answer, there is none. */
    accepts: (value: unknown) => typeof guard !== "function" || Reflect.apply(guard, undefined, [value]) === true,
  };
}

const prefer = ({ status, example }: Partial<ShownResponse>) => ({
  prefer: [`code=${status}`, ...(example === undefined ? [] : [`example=${example}`])].join(", "),
});
const seen = new Set<string>();
const keyOf = ({ entry: { service, operation }, status, mediaType, example }: ShownResponse): string =>
  [service, operation.method, operation.path, status, mediaType, example].join(" ");
/** Remembers a response that a client returned or threw as it is shown. */
const saw = (shown: ShownResponse): void => void seen.add(keyOf(shown));
const isStreamed = ({ mediaType = "" }: ShownResponse): boolean => mediaType.startsWith("text/event-stream");
/** Whether a response is plain text: neither JSON nor a stream. */
const isText = ({ mediaType = "application/json" }: ShownResponse): boolean => !/json$|event-stream/.test(mediaType);
const answersOf = (entry: Case) => shownBy(entry).filter((shown) => shown.status < 300 && !isStreamed(shown));
const streamsOf = (entry: Case) => shownBy(entry).filter((shown) => shown.status < 300 && isStreamed(shown));
const errorsOf = (entry: Case) => shownBy(entry).filter(({ status }) => status >= 300);

describe.each(methodCases)("$service $operation.name", async (entry) => {
  const { operation } = entry;
  const { keyless, table, body, call, accepts } = await setUp(entry);

  it("accepts each example of its body", async () => {
    for (const [name, example] of bodyExamples(entry)) {
      const result = await call(example);
      if (isStream(result)) await result.cancel();
      const wantsStream = isObject(example) && example[table.stream?.toggle ?? ""] === true;
      expect([name, isStream(result)]).toEqual([name, wantsStream]);
    }
  });

  it("returns each example of its answer", async () => {
    const answers = answersOf(entry);
    for (const shown of [...answers, ...firstOf(answers)]) {
      const { data, response } = await call(body, { headers: prefer(shown) }).withResponse();
      const received = isPage(data) ? { ...Object(shown.value), data: data.data } : data;
      expect([shown.example, response.status, received]).toEqual([shown.example, shown.status, shown.value]);
      expect([shown.example, accepts(received)]).toEqual([shown.example, true]);
      saw(shown);
    }
    expect(answers.length).toBeGreaterThan(0);
  });

  it("throws the class of each error, with its message", async () => {
    const errors = errorsOf(entry);
    // If a request accepts only a stream, Prism returns one for any preferred status.
    const streamed = { body: streaming(table, body), headers: { accept: "text/event-stream, application/json" } };
    const plain = { body, headers: {} };
    // Each example by its name, and each status alone: of a stream, if the operation has one.
    const calls = [
      ...errors.map((shown) => ({ shown, sent: plain })),
      ...firstOf(errors).map((shown) => ({ shown, sent: table.stream ? streamed : plain })),
    ];
    for (const { shown, sent } of calls) {
      const error = await failure(call(sent.body, { headers: { ...prefer(shown), ...sent.headers } }));
      expect(error).toBeInstanceOf(errorClass(shown.status));
      expect(error).toMatchObject({ status: shown.status, operation: operation.name, body: shown.value });
      const wait = operation.responses.get(String(shown.status))?.headers.get("Retry-After")?.example;
      expect(error).toHaveProperty("retryAfterMs", wait === undefined ? undefined : Number(wait) * 1000);
      saw(shown);
    }
  });

  it("needs a key if the document requires one", async () => {
    const { security } = operation;
    const isOpen = security.length === 0 || security.some((schemes) => schemes.length === 0);
    const error = await failure(methodOf(keyless, entry)(body));
    expect(error).toEqual(isOpen ? undefined : expect.any(errorClass(401)));
  });
});

it.each(methodCases.filter((entry) => streamsOf(entry).length > 0))(
  "$service $operation.name returns each stream, event by event, and its final answer",
  async (entry) => {
    const { table, body, call, accepts } = await setUp(entry);
    for (const shown of streamsOf(entry)) {
      const stream = async () => {
        const result = await call(streaming(table, body), { headers: prefer(shown) });
        return isStream(result) ? result : expect.fail("It does not stream.");
      };
      const sent = [...String(shown.value).matchAll(/^data: (.*)$/gm)].map(([, text = ""]) => text);
      expect(sent.pop()).toBe(table.stream?.end);
      expect(await all(await stream())).toEqual(sent.map((text): unknown => JSON.parse(text)));
      expect(accepts(await (await stream()).final())).toBe(true);
      saw(shown);
    }
  },
);

it.each(cases)("$service $operation.method $operation.path can be called by path", async (entry) => {
  const { operation } = entry;
  const { connected, table, body } = await setUp(entry);
  const every = shownBy(entry);
  const successes = firstOf(every.filter(({ status }) => status < 300));
  const errors = firstOf(errorsOf(entry));
  // An alias has no method: all its responses are requested here.
  const oneOfEach = [...successes.slice(0, 1), ...errors.slice(0, 1)];
  const requested = table.path === operation.path ? oneOfEach : every;
  for (const shown of requested) {
    const streamed = isStreamed(shown);
    const headers = { ...prefer(shown), ...(streamed && { accept: "text/event-stream" }) };
    const init = { headers, parseAs: streamed || isText(shown) ? "text" : "json" };
    const sent = streamed ? streaming(table, body) : body;
    const { response, data, error } = await byPath(connected, entry, operation.path)(sent, init);
    expect([response.status, shown.status < 300 ? data : error]).toEqual([shown.status, shown.value]);
    saw(shown);
  }
});

function withoutKey(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  request.headers.delete("authorization");
  return fetch(request);
}

function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** The first example of each status, requested by status only. */
function firstOf(every: readonly ShownResponse[]): ShownResponse[] {
  return every
    .filter(({ status }, index) => every.findIndex((shown) => shown.status === status) === index)
    .map((shown) => ({ ...shown, example: undefined }));
}

it("each response of each document was returned: every operation, status, media type and example", () => {
  expect(shownResponses.map(keyOf).filter((key) => !seen.has(key))).toEqual([]);
  const operations = new Set(shownResponses.map(({ entry }) => entry.operation)).size;
  const sentence = `Prism gave clients all ${shownResponses.length} responses that the documents show for ${operations} operations.`;
  report("prism-clients", sentence);
});
