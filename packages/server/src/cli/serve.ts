import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readKeys } from "../http/key-file.ts";
import type { ServerOptions } from "../options.ts";
import { upstreamBackend } from "../chat/upstream.ts";
import { createServer } from "../server.ts";
import { awaitBackEnd } from "./back-end.ts";
import { ownCommand } from "./own-command.ts";
import { bodyLimitsOf } from "./body-limit.ts";
import { serviceDocuments } from "../generated/services.ts";

export const serveHelp = `trainyard serve: runs the three services on this machine, with state

  --port <number>       the port; 4010 by default, 0 for any free port
  --host <address>      the address to listen at; 127.0.0.1 by default, which only this machine can reach
  --data <folder>       where state is kept; .trainyard by default, or "memory"
  --keys <file>         a list of {"key": …, "entity": …}; by default, a key is created at the first start
  --upstream <url>      a server that answers chat (vLLM, llama.cpp, Ollama …), such as http://127.0.0.1:8000/v1;
                        its key is read from TRAINYARD_UPSTREAM_KEY. By default, the tiny model answers
  --trainer <program>   a program that trains, with its arguments; without --upstream, the tiny model's own by default
  --trainer-jobs <n>    how many jobs the trainer runs at the same time, each for another model; 1 by default
  --trainer-resume      the trainer's work goes on while no server runs, and the next server follows it again
  --checkpoints <folder> where trainers store checkpoints; in the data folder by default
  --data-host <host>    a host that training data may be downloaded from; you can repeat this option
  --document <name=file> another service, by its bundled document in JSON; it returns examples. You can repeat this option
  --body-limit <MiB>    the largest body: 32 by default, and 128 for Log and Create RL Training Job; models.log=256 sets it for one
                        operation. You can repeat this option
  --site <folder>       a site to serve at /docs
  --console             serves the console although others can reach the port (with a --host other than this machine)
  --no-console          serves no console
  --check-answers       checks that each response fits its document (see /_local/violations)
  --quiet               does not log requests`;

/** Serves until the process is told to end. */
export async function serveCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      data: { type: "string", default: ".trainyard" },
      keys: { type: "string" },
      upstream: { type: "string" },
      trainer: { type: "string" },
      "trainer-jobs": { type: "string" },
      "trainer-resume": { type: "boolean", default: false },
      checkpoints: { type: "string" },
      "data-host": { type: "string", multiple: true, default: [] },
      document: { type: "string", multiple: true, default: [] },
      "body-limit": { type: "string", multiple: true, default: [] },
      site: { type: "string" },
      "check-answers": { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      console: { type: "boolean" },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be from 0 to 65535, not ${values.port}.`);
  const { TRAINYARD_UPSTREAM_KEY: upstreamKey } = process.env;
  const upstream = values.upstream !== undefined && {
    url: values.upstream,
    ...(upstreamKey !== undefined && { apiKey: upstreamKey }),
  };
  const options: ServerOptions = {
    data: values.data,
    dataHosts: values["data-host"],
    documents: Object.fromEntries(values.document.map(readBundle)),
    limits: bodyLimitsOf(values["body-limit"]),
    checkAnswers: values["check-answers"],
    // Who can reach it could read all prompts, were the code found out: on a port of others only who asks for it has it.
    console: values.console ?? isThisMachine(values.host),
    ...(values.keys !== undefined && { keys: readKeys(values.keys) }),
    ...(values.site !== undefined && { site: values.site }),
    ...trainerOf(values),
    ...(values.checkpoints !== undefined && { checkpoints: values.checkpoints }),
    ...(upstream && { backend: upstream }),
    trainerLog: ({ jobId, line }) => console.error(`trainer ${jobId} ${line}`),
    ...(!values.quiet && {
      log: ({ requestId, method, path, status, milliseconds }) => {
        console.log(`${method} ${path} ${status} ${milliseconds} ms ${requestId}`);
      },
    }),
  };
  const server = createServer(options);
  const url = await server.listen({ port, host: values.host, ownProcess: true }).catch(async (error: unknown) => {
    await server.close();
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw taken
      ? new Error(`Port ${port} is in use. Choose another with --port, or any that is free with --port 0.`)
      : error;
  });
  const services = Object.keys(serviceDocuments).filter((name) => name !== "local");
  for (const name of [...services, ...Object.keys(options.documents ?? {})]) {
    console.log(`${name.padEnd(10)} ${server.connect(name).baseUrl.replace(/^.*\.invalid/, url)}`);
  }
  const consoleUrl = server.consoleUrl();
  if (consoleUrl !== undefined) console.log(`console    ${consoleUrl}`);
  if (values.site !== undefined) console.log(`site       ${url}/docs/`);
  console.log(`data       ${values.data}`);
  const keyFile = values.keys ?? join(values.data, "keys.json");
  if (server.hasNewKeys) {
    const kept = values.data === "memory" ? "it ends with the server" : `it is kept in ${keyFile}`;
    for (const { key, entity } of server.keys) console.log(`key        ${key} (of ${entity}; ${kept})`);
  } else {
    const entities = server.keys.map(({ entity }) => entity).join(", ");
    console.log(`key        in ${keyFile} (of ${entities})`);
  }
  const ending = new AbortController();
  if (upstream) {
    console.log(`chat       ${upstream.url}`);
    void awaitBackEnd(upstreamBackend(upstream), { say: (sentence) => console.log(sentence), signal: ending.signal });
  }
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  // Whoever asks a second time does not want to wait for requests that are under way.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  ending.abort();
  await server.close();
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

interface TrainerValues {
  readonly trainer?: string | undefined;
  readonly "trainer-jobs"?: string | undefined;
  readonly "trainer-resume": boolean;
}

function trainerOf({ trainer, "trainer-jobs": jobs, "trainer-resume": resume }: TrainerValues): ServerOptions {
  if (trainer === undefined) {
    for (const [name, value] of Object.entries({ jobs, resume: resume || undefined })) {
      if (value !== undefined) throw new Error(`--trainer-${name} needs --trainer <program>.`);
    }
    return {};
  }
  const limit = jobs === undefined ? undefined : Number(jobs);
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 0 || jobs?.trim() === "")) {
    throw new Error(`--trainer-jobs must be a whole number, 0 or more, not ${jobs}.`);
  }
  const [program, ...args] = commandOf(trainer);
  // A trainer of this command is this command, whether the PATH knows it or not.
  const command: [string, ...string[]] = program === "trainyard" ? [...ownCommand(), ...args] : [program, ...args];
  return { trainer: { command, resume, ...(limit !== undefined && { jobs: limit }) } };
}

/** Reads `name=file`. */
function readBundle(option: string): [string, object] {
  const [, name, file] = /^([^=]+)=(.+)$/s.exec(option) ?? [];
  if (name === undefined || file === undefined) throw new Error(`--document must be name=file, not ${option}.`);
  let bundle: unknown;
  try {
    bundle = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`The document of ${name} cannot be read from ${file}. Bundle it as JSON first.`, { cause });
  }
  if (typeof bundle === "object" && bundle !== null && "openapi" in bundle) return [name, bundle];
  throw new Error(`${file} is not an OpenAPI document: it has no "openapi".`);
}

/** The words of a command. Quotes of either kind keep a word with spaces together; there is no shell. */
export function commandOf(line: string): [string, ...string[]] {
  const [program, ...args] = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
  if (program === undefined || program === "") throw new Error("--trainer needs a program.");
  return [program, ...args];
}
