/** The methods of the clients at the mock. `clients.test.ts` of the proofs calls each of them at another server, too. */
import * as core from "@trainyard/core";
import {
  all,
  bodyExamples,
  errorClass,
  type Case,
  methodCases,
  methodOf,
  statusesOf,
  streaming,
} from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { mockService } from "../src/index.ts";

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
  const connection = { ...mock.connect(), validators: await client.validators(), maxRetries: 0 };
  const call = methodOf(client.connect({ ...connection, validate: "both" }), entry);
  return { mock, call, table: tableOf(entry), body: bodyExamples(entry).values().next().value };
}

describe.each(methodCases)("$service $operation.name", async (entry) => {
  const { operation } = entry;
  const { call, table, body } = await setUp(entry);

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
        expect(error.outcomeUnknown).toBe(status >= 500 && operation.resend !== "always");
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
    const { mock, call, table, body } = await setUp(entry);
    const { cursor, item, more } = Object(table.page);
    const pages = [...examplesOf(entry, 200).values()]
      .map((value) => Object(value))
      .filter(({ data }) => data.length > 0);
    for (const page of pages) mock.once(operation.name, { body: { ...page, [more]: true } });
    mock.once(operation.name, { body: { ...pages[0], data: [], [more]: true } });
    const items = pages.flatMap(({ data }) => data);
    expect(await all(call(body))).toEqual(items);
    const cursors = mock.requests(operation.name).map(({ query }) => query.get(cursor));
    const lasts = pages.map(({ data }) => data.at(-1)[item]);
    expect(cursors.slice(1)).toEqual(lasts.map(String));
  },
);

function tableOf({ client, operation }: Case): core.Operation {
  const row = client.operations.get(operation.name);
  if (row) return row;
  throw new Error(`The table of operations has no ${operation.name}.`);
}

function examplesOf({ operation }: Case, status: number): ReadonlyMap<string, unknown> {
  return operation.responses.get(String(status))?.content.get("application/json")?.examples ?? new Map();
}

function errorsOf(entry: Case): [status: number, examples: ReadonlyMap<string, unknown>][] {
  return statusesOf(entry.operation)
    .filter((status) => status >= 300)
    .map((status) => [status, examplesOf(entry, status)]);
}

function prefer(status: number, example: string | undefined): core.CallOptions {
  return { headers: { prefer: `code=${status}${example === undefined ? "" : `, example=${example}`}` } };
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
