/** A client throws only its own errors, whatever the service, the network or a proxy does. */
import { setTimeout as sleep } from "node:timers/promises";
import { TrainyardError, type ClientOptions } from "@trainyard/core";
import * as fc from "fast-check";
import {
  all,
  bodyExamples,
  byPath,
  type Case,
  isPage,
  isStream,
  methodCases,
  methodOf,
  packages,
  streaming,
} from "@trainyard/testing/services";
import { describe, expect, it } from "vitest";
import { anyString, tries } from "@trainyard/testing";
import { exampleReply, fetchThat, repliesOf, thrown, type Happening, type Reply } from "./replies.ts";

type Kind = (entry: Case, client: unknown) => Promise<unknown>;

/** The ways to call an operation to its end. */
const kinds: Readonly<Record<string, Kind>> = {
  method: (entry, client) => methodOf(client, entry)(bodyOf(entry)),
  withResponse: (entry, client) => methodOf(client, entry)(bodyOf(entry)).withResponse(),
  http: (entry, client) => byPath(client, entry)(bodyOf(entry)),
  text: (entry, client) => byPath(client, entry)(bodyOf(entry), { parseAs: "text" }),
  items: (entry, client) => all(methodOf(client, entry)(bodyOf(entry))),
  pages: async (entry, client) => {
    let page = await methodOf(client, entry)(bodyOf(entry));
    for (let count = 0; count < 3 && isPage(page); count++) page = await page.nextPage();
  },
  stream: async (entry, client) => all(await open(entry, client)),
  final: async (entry, client) => (await open(entry, client)).final(),
  break: async (entry, client) => {
    for await (const _ of await open(entry, client)) break;
  },
  cancel: async (entry, client) => {
    const stream = await open(entry, client);
    await stream.cancel();
    await stream.final();
  },
};
const pageKinds = new Set(["items", "pages"]);
const streamKinds = new Set(["stream", "final", "break", "cancel"]);

/** The operations that can be called in a given way. */
function casesOf(kind: string): readonly Case[] {
  return methodCases.filter(({ client, operation }) => {
    const table = client.operations.get(operation.name);
    return (!pageKinds.has(kind) || table?.page) && (!streamKinds.has(kind) || table?.stream);
  });
}

// Counterexamples contain the operation's name only: the whole case would print its document.
const nameOf = ({ service, operation }: Case): string => `${service} ${operation.name}`;
function named(name: string): Case {
  const entry = methodCases.find((one) => nameOf(one) === name);
  if (entry) return entry;
  throw new Error(`There is no ${name}.`);
}

function bodyOf(entry: Case): unknown {
  return bodyExamples(entry).values().next().value;
}

async function open(entry: Case, client: unknown) {
  const table = entry.client.operations.get(entry.operation.name);
  const stream = await methodOf(client, entry)(table && streaming(table, bodyOf(entry)));
  if (!isStream(stream)) throw new Error("A streaming call did not return a stream.");
  return stream;
}

function connect({ client }: Case, options: ClientOptions): unknown {
  return client.connect({ baseUrl: "http://127.0.0.1", apiKey: "a-key", maxRetries: 0, ...options });
}

/** A call of an operation, and the response to it. */
interface Tried {
  readonly operation: string;
  readonly what: Happening;
  readonly options: ClientOptions;
}

/** Waits for a call. It must return a value or throw one of our errors, in time. */
async function settles(what: string, call: () => Promise<unknown>): Promise<"value" | "error"> {
  const late = new AbortController();
  const watch = sleep(2000, "late", { signal: late.signal }).catch(() => "in time");
  try {
    const result = await Promise.race([call().then(() => "value" as const), watch]);
    if (result === "late") throw new Error(`${what} hangs.`);
    return "value";
  } catch (error) {
    // Not `toBeInstanceOf`, which would print values that may not be printable.
    if (error instanceof TrainyardError && error.message !== "" && error.stack?.includes(error.name)) return "error";
    throw new Error(`${what} threw an error that is not ours.`, { cause: error });
  } finally {
    late.abort();
  }
}

const validators = new Map(await Promise.all(packages.map(async (one) => [one.name, await one.validators()] as const)));

describe.each(Object.entries(kinds))("a call by %s", (kind, call) => {
  /** Each operation, with the possible responses. */
  const happenings = (afters: fc.Arbitrary<Reply["after"]>, others: fc.Arbitrary<Happening>) =>
    fc.oneof(
      ...casesOf(kind).map((entry) =>
        fc.record({
          operation: fc.constant(nameOf(entry)),
          what: fc.oneof({ arbitrary: repliesOf(entry, streamKinds.has(kind), afters), weight: 9 }, others),
          options: fc.constantFrom<ClientOptions>({}, { validators: validators.get(entry.service) ?? {} }),
        }),
      ),
    );

  it("throws only our errors, whatever the response", async () => {
    const ends = fc.oneof({ arbitrary: fc.constant("end" as const), weight: 3 }, fc.record({ broken: thrown }));
    const seen = new Set<string>();
    const [entry = expect.fail("No operation can be called like this.")] = casesOf(kind);
    const what = exampleReply(entry, streamKinds.has(kind));
    const replies = [what, { ...what, status: 500 }];
    await fc.assert(
      fc.asyncProperty(happenings(ends, fc.record({ thrown })), async ({ operation, what, options }) => {
        const entry = named(operation);
        const client = connect(entry, { fetch: fetchThat(what), ...options });
        seen.add(await settles(kind, () => call(entry, client)));
      }),
      { ...tries(480), examples: replies.map((what): [Tried] => [{ operation: nameOf(entry), what, options: {} }]) },
    );
    // A canceled call has no value.
    expect(seen).toEqual(new Set(kind === "cancel" ? ["error"] : ["error", "value"]));
  });

  it("ends in time if the response stalls", async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings(fc.constant("silence"), fc.constant("nothing")),
        async ({ operation, what, options }) => {
          const entry = named(operation);
          const client = connect(entry, { fetch: fetchThat(what), timeoutMs: 2, ...options });
          await settles(kind, () => call(entry, client));
        },
      ),
      tries(20),
    );
  });
});

it("throws only our errors, whatever the arguments", async () => {
  const unpaired = fc.string({
    unit: fc.integer({ min: 0xd7ff, max: 0xe000 }).map((code) => String.fromCharCode(code)),
  });
  const text = fc.oneof(fc.string(), anyString(), unpaired);
  const circle: { [name: string]: unknown } = {};
  circle["circle"] = circle;
  const extras = fc.dictionary(fc.string(), fc.oneof(fc.anything({ withBigInt: true }), fc.constant(circle), text));
  const options = fc.record(
    { headers: fc.dictionary(text, text), extraBody: extras, extraQuery: fc.dictionary(text, text) },
    { requiredKeys: [] },
  );
  const seen = new Set<string>();
  const entries = methodCases.map((entry) => fc.record({ operation: fc.constant(nameOf(entry)), path: text, options }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(...entries), async ({ operation, path, options }) => {
      const entry = named(operation);
      const client = connect(entry, { fetch: () => Promise.resolve(Response.json({ id: "j1" })) });
      // `openapi-fetch` itself rejects what it cannot serialize, with the runtime's errors.
      seen.add(await settles("method", () => methodOf(client, entry, path)(bodyOf(entry), options)));
    }),
    {
      ...tries(800),
      examples: ["id", ""].map((path) => [{ operation: "training trainingJobs.get", path, options: {} }]),
    },
  );
  expect(seen).toEqual(new Set(["error", "value"]));
});

it("survives an error that is its own cause", async () => {
  const circle = new Error("A circle.");
  circle.cause = circle;
  for (const entry of methodCases) {
    const client = connect(entry, { fetch: fetchThat({ thrown: circle }) });
    expect(await settles("method", () => methodOf(client, entry)(bodyOf(entry)))).toBe("error");
  }
});
