import * as core from "@trainyard/core";
import { isObject } from "@trainyard/core/validation";
import {
  all,
  answerGuard,
  answerSchema,
  bodyExamples,
  byPath,
  errorClass,
  type Case,
  isPage,
  isStream,
  methodCases,
  methodOf,
  statusesOf,
  streaming,
} from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { mockService } from "../src/index.ts";

const json = "application/json";
const events = "text/event-stream";

it("has a method for each operation of the clients' tables", () => {
  const declared = methodCases.map(({ service, operation }) => `${service} ${operation.name}`);
  const generated = [...new Set(methodCases.map((entry) => entry.client))].flatMap(({ name, operations }) =>
    [...operations.keys()].map((operation) => `${name} ${operation}`),
  );
  expect(declared.toSorted()).toEqual(generated.toSorted());
  expect(declared.length).toBeGreaterThanOrEqual(17);
});

/** A client of an operation, connected to a mock. Its validators check every request and response. */
async function setUp(entry: Case) {
  const { client } = entry;
  const mock = mockService(entry.document);
  const validators = await client.validators();
  const connected = client.connect({ ...mock.connect(), validators, validate: "both", maxRetries: 0 });
  const bodies = bodyExamples(entry);
  return {
    mock,
    validators,
    connected,
    call: methodOf(connected, entry),
    table: tableOf(entry),
    bodies,
    body: bodies.values().next().value,
    answers: examplesOf(entry, 200, tableOf(entry).accept?.split(",")[0] ?? json),
  };
}

describe.each(methodCases)("$service $operation.name", async (entry) => {
  const { operation } = entry;
  const { mock, validators, connected, call, table, bodies, body, answers } = await setUp(entry);

  it("accepts each example of its body", async () => {
    for (const [name, example] of bodies) {
      const result = await call(example);
      expect([name, isStream(result)]).toEqual([
        name,
        isObject(example) && example[table.stream?.toggle ?? ""] === true,
      ]);
      if (isStream(result)) await result.cancel();
      expect(mock.requests(operation.name).at(-1)?.body).toEqual(example);
    }
    expect(bodies.size).toBeGreaterThan(0);
  });

  it("returns each example of its answer, which its validator accepts", async () => {
    for (const [name, value] of answers) {
      const { data, response, requestId } = await call(body, prefer(200, name)).withResponse();
      const received = isPage(data) ? { ...Object(value), data: data.data } : data;
      expect([name, received]).toEqual([name, value]);
      expect(valid(validators, answerGuard(validators, operation.name) ?? entry, value)).toBe(true);
      expect([response.status, requestId]).toEqual([200, response.headers.get("x-request-id")]);
    }
    expect(answers.size).toBeGreaterThan(0);
  });

  it("is served at its other paths", async () => {
    for (const path of [table.path, ...(table.aliases ?? [])]) {
      for (const [name, value] of answers) {
        const init = { ...prefer(200, name), ...(table.accept !== undefined && { parseAs: "text" }) };
        expect(await byPath(connected, entry, path)(body, init)).toMatchObject({ data: value });
      }
      const [status, named] = errorsOf(entry)[0] ?? [500, new Map()];
      const [name, error] = [...named][0] ?? [];
      const answer = await byPath(connected, entry, path)(body, prefer(status, name));
      expect([answer.response.status, answer.error, answer.data]).toEqual([status, error, undefined]);
    }
  });

  it.each(errorsOf(entry))("throws the class of a %i with its message", async (status, examples) => {
    const wishes = [body, ...(table.stream ? [streaming(table, body)] : [])];
    for (const [name, value] of examples) {
      for (const wish of wishes) {
        const error = await call(wish, prefer(status, name)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const expected = errorClass(status);
        if (!(error instanceof expected)) throw new Error(`${status} ${name}`, { cause: error });
        expect(error).toMatchObject({ name: expected.name, status, operation: operation.name, attempts: 1 });
        expect(error.body).toEqual(value);
        expect(error.message).toContain(`${operation.name}: answered ${status}`);
        for (const message of messagesOf(value)) expect(error.message).toContain(message);
        expect(error.requestId).toBe(error.headers.get("x-request-id"));
        expect(error.requestId).toMatch(/^req_/);
        expect(error.retryAfterMs).toBe(retryAfterOf(entry, status));
        // After a 5xx the outcome is unknown, unless the operation can always be retried.
        expect(error.outcomeUnknown).toBe(status >= 500 && table.resend !== "always");
        if (error instanceof core.UnprocessableError) expect(error.issues).toEqual(Object(value).detail);
      }
    }
    expect(examples.size).toBeGreaterThan(0);
  });
});

it.each(methodCases.filter((entry) => tableOf(entry).page))(
  "$service $operation.name returns the items of all its pages",
  async (entry) => {
    const { operation } = entry;
    const { mock, call, table, body, answers } = await setUp(entry);
    const { cursor, item, more } = Object(table.page);
    const pages = [...answers.values()].map((value) => Object(value)).filter(({ data }) => data.length > 0);
    for (const page of pages) mock.once(operation.name, { body: { ...page, [more]: true } });
    mock.once(operation.name, { body: { ...pages[0], data: [], [more]: true } });
    const items = pages.flatMap(({ data }) => data);
    expect(await all(call(body))).toEqual(items);
    const cursors = mock.requests(operation.name).map(({ query }) => query.get(cursor));
    const lasts = pages.map(({ data }) => data.at(-1)[item]);
    expect(cursors.slice(1)).toEqual(lasts.map(String));
  },
);

it.each(methodCases.filter((entry) => tableOf(entry).stream))(
  "$service $operation.name streams each example, event by event, and adds it up to its answer",
  async (entry) => {
    const { operation } = entry;
    const { validators, call, table, body } = await setUp(entry);
    const streams = examplesOf(entry, 200, events);
    for (const [name, value] of streams) {
      const data = [...String(value).matchAll(/^data: (.*)$/gm)].map(([, text]) => text ?? "");
      expect(data.pop()).toBe(table.stream?.end);
      const read = async () => {
        const stream = await call(streaming(table, body), prefer(200, name));
        if (!isStream(stream)) throw new Error(`${operation.name} does not stream.`);
        return stream;
      };
      const items = await all(await read());
      expect(items).toEqual(data.map((text) => JSON.parse(text)));
      for (const one of items) expect(valid(validators, itemGuard(entry), one)).toBe(true);
      const whole = await (await read()).final();
      expect([name, valid(validators, answerGuard(validators, operation.name) ?? "", whole)]).toEqual([name, true]);
    }
    expect(streams.size).toBeGreaterThan(0);
  },
);

function tableOf({ client, operation }: Case): core.Operation {
  const row = client.operations.get(operation.name);
  if (row) return row;
  throw new Error(`The table of operations has no ${operation.name}.`);
}

function examplesOf({ operation }: Case, status: number, type: string): ReadonlyMap<string, unknown> {
  return operation.responses.get(String(status))?.content.get(type)?.examples ?? new Map();
}

function errorsOf(entry: Case): [status: number, examples: ReadonlyMap<string, unknown>][] {
  return statusesOf(entry.operation)
    .filter((status) => status >= 300)
    .map((status) => [status, examplesOf(entry, status, json)]);
}

function prefer(status: number, example: string | undefined): core.CallOptions {
  return { headers: { prefer: `code=${status}${example === undefined ? "" : `, example=${example}`}` } };
}

/** The guard of one stream event, by its name in `/validators`. */
function itemGuard(entry: Case): string {
  return `is${String(Object(answerSchema(entry, 200, events)).$ref)
    .split("/")
    .at(-1)}`;
}

/** Validates with a guard. If the contract does not define the answer there is none, and the schema itself must be open. */
function valid(validators: core.Validators, judge: string | Case, value: unknown): boolean {
  if (typeof judge !== "string") return judge.fits(Object(answerSchema(judge, 200)), value);
  const guard = validators[judge];
  if (typeof guard !== "function") throw new Error(`There is no validator ${judge}.`);
  return Reflect.apply(guard, undefined, [value]) === true;
}

/** The text of an error body that must be part of the message. */
function messagesOf(body: unknown): string[] {
  const { detail, error, reason } = Object(body);
  const message = Array.isArray(detail) ? detail[0]?.msg : (detail ?? error?.message ?? reason);
  return typeof message === "string" ? [message] : [];
}

/** The milliseconds to wait in the document's example of a response. */
function retryAfterOf({ operation }: Case, status: number): number | undefined {
  const seconds = operation.responses.get(String(status))?.headers.get("Retry-After")?.example;
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
