import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDocument as readOpenApi, unsupportedIn } from "@trainyard/document";
import { textTable } from "@trainyard/host/table";
import { startMock, type Mock, type MockOptions } from "./mock.ts";

const usage = `Usage: trainyard-mock [options]

Serves mocks of all services at one port. Their answers are the examples of the documents.

Options:
  --port <number>           the port; another one when it is taken (default: 4010)
  --host <host>             the host (default: 127.0.0.1)
  --key <key>               a key that is good, may be repeated (default: any key is)
  --document <name>=<file>  one more service, by its bundled document in JSON, may be repeated
  --help                    shows this
  --version                 shows the version
`;

/** The output streams of a command. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Runs the command until the mock serves.
 * @returns the mock, or the exit code if there is nothing to serve
 */
export async function run(args: readonly string[], { out, err }: Output): Promise<Mock | number> {
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args);
  } catch (error) {
    err(`${sentence(error)}\nSee trainyard-mock --help.\n`);
    return 2;
  }
  if (options.help) {
    out(usage);
    return 0;
  }
  let mock: Mock;
  try {
    mock = await startMock(options);
  } catch (error) {
    err(`The mock could not start: ${sentence(error)}\n`);
    return 1;
  }
  if (options.port !== 0 && mock.port !== options.port) {
    out(`Port ${options.port} is taken. Using port ${mock.port} instead.\n\n`);
  }
  for (const [name, document = {}] of Object.entries(options.documents ?? {}))
    for (const { pointer, message, cure } of unsupportedIn(readOpenApi(document)))
      err(`${name}, ${pointer}: ${message} ${cure}\n`);
  for (const line of textTable(Object.entries(mock.addresses))) out(`  ${line}\n`);
  out(`\n${options.keys ? "Only the given keys are valid." : "Any key is valid."} Press Ctrl-C to stop.\n`);
  return mock;
}

function readOptions(args: readonly string[]): MockOptions & { readonly help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      key: { type: "string", multiple: true },
      document: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const port = /^\d+$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65535)) throw new Error(`"${values.port}" is not a port. Pass a number from 0 to 65535.`);
  const documents = Object.fromEntries(values.document.map(readDocument));
  return { port, host: values.host, keys: values.key, documents, help: values.help };
}

function readDocument(option: string): [string, object] {
  const [, name, file] = /^([^=]+)=(.+)$/s.exec(option) ?? [];
  if (name === undefined || file === undefined)
    throw new Error(`"${option}" is not a document. Pass a name, "=" and a file.`);
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`The document of ${name} cannot be read from ${file}. Bundle it as JSON first.`, { cause: error });
  }
  if (typeof document === "object" && document !== null && "openapi" in document) return [name, document];
  throw new Error(`${file} is not an OpenAPI document: it has no "openapi".`);
}

/** The first sentence of an error's message, because Node appends advice that does not apply here. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith("Unknown option") || message.startsWith("Unexpected argument")
    ? `${message.split(". ")[0]?.replace(/\.$/, "")}.`
    : message;
}
