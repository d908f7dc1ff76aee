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
import { report, tally } from "./report.ts";
import { keyOfAnswer, keyOfWish, wishes, wishesOf, type Wish } from "./wishes.ts";

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

const prefer = ({ status, example }: Partial<Wish>) => ({
  prefer: [`code=${status}`, ...(example === undefined ? [] : [`example=${example}`])].join(", "),
});
const isStreamed = ({ mediaType = "" }: Wish): boolean => mediaType.startsWith("text/event-stream");
/** Whether a response is plain text: neither JSON nor a stream. */
const isText = ({ mediaType = "application/json" }: Wish): boolean => !/json$|event-stream/.test(mediaType);
const answersOf = (entry: Case) => wishesOf(entry).filter((wish) => wish.status < 300 && !isStreamed(wish));
const streamsOf = (entry: Case) => wishesOf(entry).filter((wish) => wish.status < 300 && isStreamed(wish));
const errorsOf = (entry: Case) => wishesOf(entry).filter(({ status }) => status >= 300);

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
    for (const wish of [...answers, ...firstOf(answers)]) {
      const { data, response } = await call(body, { headers: prefer(wish) }).withResponse();
      const received = isPage(data) ? { ...Object(wish.value), data: data.data } : data;
      expect([wish.example, response.status, received]).toEqual([wish.example, wish.status, wish.value]);
      expect([wish.example, accepts(received)]).toEqual([wish.example, true]);
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
      ...errors.map((wish) => ({ wish, sent: plain })),
      ...firstOf(errors).map((wish) => ({ wish, sent: table.stream ? streamed : plain })),
    ];
    for (const { wish, sent } of calls) {
      const error = await failure(call(sent.body, { headers: { ...prefer(wish), ...sent.headers } }));
      expect(error).toBeInstanceOf(errorClass(wish.status));
      expect(error).toMatchObject({ status: wish.status, operation: operation.name, body: wish.value });
      const wait = operation.responses.get(String(wish.status))?.headers.get("Retry-After")?.example;
      expect(error).toHaveProperty("retryAfterMs", wait === undefined ? undefined : Number(wait) * 1000);
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
    for (const wish of streamsOf(entry)) {
      const stream = async () => {
        const result = await call(streaming(table, body), { headers: prefer(wish) });
        return isStream(result) ? result : expect.fail("It does not stream.");
      };
      const sent = [...String(wish.value).matchAll(/^data: (.*)$/gm)].map(([, text = ""]) => text);
      expect(sent.pop()).toBe(table.stream?.end);
      expect(await all(await stream())).toEqual(sent.map((text): unknown => JSON.parse(text)));
      expect(accepts(await (await stream()).final())).toBe(true);
    }
  },
);

it.each(cases)("$service $operation.method $operation.path can be called by path", async (entry) => {
  const { operation } = entry;
  const { connected, table, body } = await setUp(entry);
  const shown = wishesOf(entry);
  const successes = firstOf(shown.filter(({ status }) => status < 300));
  const errors = firstOf(errorsOf(entry));
  // An alias has no method: all its responses are requested here.
  const oneOfEach = [...successes.slice(0, 1), ...errors.slice(0, 1)];
  const requested = table.path === operation.path ? oneOfEach : shown;
  for (const wish of requested) {
    const streamed = isStreamed(wish);
    const headers = { ...prefer(wish), ...(streamed && { accept: "text/event-stream" }) };
    const init = { headers, parseAs: streamed || isText(wish) ? "text" : "json" };
    const sent = streamed ? streaming(table, body) : body;
    const { response, data, error } = await byPath(connected, entry, operation.path)(sent, init);
    expect([response.status, wish.status < 300 ? data : error]).toEqual([wish.status, wish.value]);
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
function firstOf(shown: readonly Wish[]): Wish[] {
  return shown
    .filter(({ status }, index) => shown.findIndex((wish) => wish.status === status) === index)
    .map((wish) => ({ ...wish, example: undefined }));
}

describe("Prism's own log", () => {
  const answered = () =>
    packages.flatMap(({ name }) =>
      prismOf(name)
        .answered()
        .map((one) => ({ name, ...one })),
    );

  it("contains each response of each document: every operation, status, media type and example", () => {
    const counts = tally(answered().flatMap((one) => keyOfAnswer(one.name, one) ?? []));
    const missing = wishes.map(keyOfWish).filter((key) => !counts.has(key));
    expect(missing).toEqual([]);
    const operations = new Set(wishes.map(({ entry }) => entry.operation));
    const total = answered().length;
    const sentence = `Prism answered ${total} requests of clients: all ${wishes.length} answers that the documents show for ${operations.size} operations.`;
    report("prism-clients", sentence, counts);
  });

  it("reports no fault but missing keys, and returns the preferred status", () => {
    const keyless = answered().filter(({ prefer, status }) => prefer === "" && status === 401);
    const faulty = answered().filter(({ messages }) => messages.length > 0);
    expect(faulty).toEqual(keyless);
    expect(answered().filter(({ prefer, status }) => prefer !== "" && !prefer.startsWith(`code=${status}`))).toEqual(
      [],
    );
  });
});
