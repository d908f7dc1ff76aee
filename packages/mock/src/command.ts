import { parse } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { daemon, UsageError } from "@trainyard/terminal/command";
import { textTable } from "@trainyard/terminal/table";
import { startMock, type Mock, type MockOptions } from "./mock.ts";
import { serviceNames } from "./services.ts";

export const help = `trainyard mock [document]: serves mocks of all services at one port, or of the service of an OpenAPI document, in YAML or JSON.
Their answers are the examples of the documents, or are made from their schemas

  --port <number>           the port; 4010 by default, or another one if that is taken
  --host <host>             the host; 127.0.0.1 by default
  --key <key>               a valid key; any key is valid by default. May be given several times
  --document <name>=<file>  one more service, by its document. May be given several times
  --allow <place>           a folder or an address that the $refs of documents may lead to. May be given several times`;

/** The output streams of a command. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs `trainyard mock` until the process receives a signal to stop. */
export async function run(args: readonly string[]): Promise<void> {
  const { stopped } = daemon();
  const result = await serve(args, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  if (typeof result === "number") process.exitCode = result;
  else void stopped.then(() => result.close());
}

/**
 * Runs the command until the mock serves.
 * @returns the mock, or the exit code if it could not start
 * @throws {@link UsageError} if its arguments are invalid
 */
export async function serve(args: readonly string[], { out, err }: Output): Promise<Mock | number> {
  const options = await readOptions(args, err);
  let mock: Mock;
  try {
    mock = await startMock(options);
  } catch (error) {
    err(`The mock could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  if (options.port !== 0 && mock.port !== options.port) {
    out(`Port ${options.port} is taken. Using port ${mock.port} instead.\n\n`);
  }
  for (const line of textTable(Object.entries(mock.addresses))) out(`  ${line}\n`);
  out(`\n${options.keys ? "Only the given keys are valid." : "Any key is valid."} Press Ctrl-C to stop.\n`);
  return mock;
}

async function readOptions(args: readonly string[], err: Output["err"]): Promise<MockOptions> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      key: { type: "string", multiple: true },
      document: { type: "string", multiple: true, default: [] },
      allow: { type: "string", multiple: true, default: [] },
    },
  });
  const port = /^\d+$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65535)) throw new UsageError(`"${values.port}" is not a port. Pass a number from 0 to 65535.`);
  const [alone, ...others] = positionals;
  if (others.length > 0)
    throw new UsageError(`Name one document, and others with --document: ${positionals.join(", ")}.`);
  const files = values.document.map((option): [string, string] => {
    const [, name, file] = /^([^=]+)=(.+)$/s.exec(option) ?? [];
    if (name !== undefined && file !== undefined) return [name, file];
    throw new UsageError(`"${option}" is not a document. Pass a name, "=" and a file.`);
  });
  const documents: Record<string, object | undefined> = {};
  if (alone !== undefined) {
    for (const name of serviceNames) documents[name] = undefined;
    files.unshift([parse(alone).name, alone]);
  }
  for (const [name, file] of files) {
    const { readFile } = await import("@trainyard/document/files");
    const { document, notes } = await readFile(file, { allow: values.allow });
    for (const note of notes) err(`${note}\n`);
    documents[name] = document;
  }
  return { port, host: values.host, keys: values.key, documents };
}
