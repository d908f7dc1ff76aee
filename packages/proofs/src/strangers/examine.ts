import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { generateClient } from "@trainyard/codegen/generate-client";
import { DocumentError, readFile } from "@trainyard/document/files";
import { isObject, memberAt, pointerTokens } from "@trainyard/core/validation";
import {
  isJson,
  mediaFor,
  readDocument,
  responseOf,
  type Document,
  type Located,
  type Operation,
} from "@trainyard/document";
import { exampleHeader, validatorOf } from "@trainyard/host";
import { verify } from "@trainyard/live";
import { startMock } from "@trainyard/mock";
import { startPrism } from "../prism.ts";
import type { Stranger } from "./corpus.ts";
import { unionsIn } from "./unions.ts";
import { ask, countedRequest, type Answered } from "./requests.ts";

/** What is counted for one document. */
export type Examined = ReturnType<typeof nothing>;

/** The counts before anything was counted. */
export function nothing() {
  const none = (): string[] => [];
  return {
    /** How many operations it has, how many of them have a method in the generated client, and why the others have none. */
    operations: 0,
    generated: 0,
    refused: none(),
    /** How many responses of our mock and of Prism are 2xx, of one request of each operation. */
    own: 0,
    prism: 0,
    /** Our responses of 5xx that the document does not declare. */
    undeclared: none(),
    /** Our responses that were made without an example, and violate their schema. */
    invalid: none(),
    /** What `verify` found in our mock, and how many more findings are faults of the document's own examples. */
    findings: none(),
    ofExamples: 0,
    /** What threw. */
    crashes: none(),
    /** The processor time of each step. */
    seconds: {} as Record<string, number>,
  };
}

/** Reads a document, generates its client into a folder, and asks and verifies our mock of it. */
export async function examine({ file }: Stranger, folder: string): Promise<Examined> {
  const result = nothing();
  const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    const before = process.cpuUsage();
    try {
      return await work();
    } catch (error) {
      if (error instanceof DocumentError) result.refused.push(...error.problems.map(({ message }) => message));
      else result.crashes.push(`${what}: ${String(error instanceof Error ? error.stack : error)}`);
      return undefined;
    } finally {
      const { user, system } = process.cpuUsage(before);
      result.seconds[what] = Number(((user + system) / 1e6).toFixed(1));
    }
  };
  const root = await step("read", async () => (await readFile(file, { root: dirname(file) })).document);
  if (root === undefined) return result;
  const document = await step("document", () => readDocument(root));
  if (document === undefined) return result;
  result.operations = document.operations.length;
  await step("generate", async () => {
    const { operations, problems } = await generateClient(file, {
      root: dirname(file),
      out: folder,
      validators: "all",
    });
    result.generated = operations;
    result.refused.push(...problems.map(({ message }) => message));
  });
  await step("flags", () => {
    const { unreachable } = unionsIn(document);
    if (unreachable.length > 0) throw new Error(`No flag gives ${unreachable.join(", ")}.`);
  });
  const mock = await startMock({ documents: { ...none, stranger: root } });
  const baseUrl = mock.addresses["stranger"] ?? "";
  try {
    await step("answers", () => compareMocks(document, baseUrl, file, result));
    await step("verify", () => verifyMock(document, baseUrl, result));
  } finally {
    await mock.close();
  }
  return result;
}

/** Ids that a verification draws. */
const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** The mock without our own services. */
const none = { training: undefined, inference: undefined, auxiliary: undefined };

/** Sends one request of each operation to our mock and to Prism, which reads the document as it was written. */
async function compareMocks(document: Document, baseUrl: string, file: string, result: Examined): Promise<void> {
  // Prism cannot read every document.
  const prism = await startPrism(JSON.parse(readFileSync(file, "utf8"))).catch(() => undefined);
  const isSuccess = ({ status }: Answered) => status >= 200 && status < 300;
  try {
    for (const operation of document.operations) {
      const request = await countedRequest(document, operation);
      const answer = await ask(baseUrl, request);
      const what = `${operation.method} ${operation.path}: ${answer.status}`;
      const declared = responseOf(operation, answer.status)?.status ?? "default";
      if (isSuccess(answer)) result.own++;
      if (answer.status === 0 || (answer.status >= 500 && declared === "default"))
        result.undeclared.push(`${what} ${answer.text.slice(0, 200)}`);
      const fault = faultOf(document, operation, answer);
      if (fault) result.invalid.push(`${what} ${fault}`);
      if (prism && isSuccess(await ask(prism.url, request))) result.prism++;
    }
  } finally {
    await prism?.close();
  }
}

async function verifyMock(document: Document, baseUrl: string, result: Examined): Promise<void> {
  const schemes = document.operations.flatMap(({ security }) => security.flat());
  const credentials = Object.fromEntries(schemes.map(({ name }) => [name, "a-key"]));
  // The requests that got an example of the document.
  const shown = new Set<string>();
  const { findings } = await verify([
    {
      name: "stranger",
      document,
      baseUrl,
      credentials,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const response = await fetch(request);
        const example = response.headers.get(exampleHeader) ?? "generated";
        if (example !== "generated" && example !== "empty")
          shown.add(`${request.method} ${request.url.slice(baseUrl.length)}`);
        return response;
      },
    },
  ]);
  const refused = new Set(document.operations.filter(showsErrors).map(({ name }) => name));
  const faulty = new Set(document.operations.filter((one) => sendsFaulty(document, one)).map(({ name }) => name));
  for (const {
    operations: [operation = ""],
    place,
    says,
    seen,
    request,
  } of findings) {
    const isOfBody = /\/(content|schemas?)(\/|$)/.test(place.pointer);
    const isShown = shown.has(request.split(", ")[0] ?? "") || refused.has(operation);
    if (isOfBody ? isShown || hasExample(document, place.pointer) : faulty.has(operation)) result.ofExamples++;
    else result.findings.push(`${operation} ${place.pointer}: ${says} Seen: ${seen}. ${request}`.replaceAll(uuid, "…"));
  }
}

/** Whether an operation shows errors, from which the mock writes those of its own. */
function showsErrors({ responses }: Operation): boolean {
  const errors = [...responses.values()].filter(({ status }) => !status.startsWith("2"));
  return errors.some(({ content }) => [...content.values()].some(({ examples }) => examples.size > 0));
}

/** Whether a schema, or one around it, shows a value. */
function hasExample({ root }: Document, pointer: string): boolean {
  const keys = pointerTokens(pointer);
  return keys.some((_, at) => {
    const schema = memberAt(root, keys.slice(0, at + 1));
    return isObject(schema) && (schema["example"] ?? schema["examples"]) !== undefined;
  });
}

/** Whether the document's own examples of a request violate their schemas. */
function sendsFaulty({ root }: Document, { parameters, body }: Operation): boolean {
  const isFaulty = (schema: Located | undefined, values: Iterable<unknown>): boolean =>
    schema !== undefined && [...values].some((value) => validatorOf(root).at(schema.pointer, value).length > 0);
  return (
    parameters.some(({ schema, example }) => example !== undefined && isFaulty(schema, [example])) ||
    [...(body?.content.values() ?? [])].some(({ schema, examples }) => isFaulty(schema, examples.values()))
  );
}

/** How an answer violates its schema; undefined if it does not, or if it is an example of the document. */
function faultOf({ root }: Document, operation: Operation, { status, type, text }: Answered): string | undefined {
  const media = mediaFor(responseOf(operation, status)?.content ?? new Map(), type);
  if (!isJson(type) || media === undefined || media.examples.size > 0) return undefined;
  const [fault] = validatorOf(root).answer(operation, status, type, JSON.parse(text)) ?? [];
  return fault && `${fault.loc.join(".")}: ${fault.msg}`;
}
