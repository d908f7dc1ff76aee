/**
 * What `pnpm start` serves: the local server with the tiny model, and the data that the documents' examples and the samples
 * use: the model agent-1 with its jobs, stored objects, feedback, hardware, and files to train on.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type ImportKind, type LocalServer } from "@trainyard/server";
import { tinyTrainer } from "@trainyard/tiny";

/** The running services. */
export interface Services {
  readonly server: LocalServer;
  /** The address of the training service. */
  readonly url: string;
  /** The environment variables for programs, by name. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface ServicesOptions {
  /** A port, or 0 for any free one. */
  readonly port: number;
  /** Called with the port if it is in use. A free one is used instead. */
  readonly taken?: (url: string) => void;
  /** The folder of a site. */
  readonly site?: string;
}

const key = "a-key-for-this-machine";
const conversations = "artifact:///harbor/support-desk/conversations:v3";
/** The imported data, in this order. The pages of the site import the same. */
const imports: readonly {
  readonly kind: ImportKind;
  readonly file: string;
  readonly as?: string;
}[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "data/imports.json"), "utf8"),
);

/** Starts the services. */
export async function startServices({
  port,
  taken,
  site,
}: ServicesOptions): Promise<Services> {
  const checkpoints = await mkdtemp(join(tmpdir(), "trainyard-start-"));
  const server = createServer({
    keys: [{ key, entity: "harbor" }],
    checkpoints,
    console: true,
    ...(site !== undefined && { site }),
  });
  const url = await listen(server, port, taken);
  const weights = trainSteps(tinyTrainer(), checkpoints);
  await importAll(server);
  await weights;
  return {
    server,
    url,
    variables: {
      TRAINYARD_API_KEY: key,
      TRAINYARD_ACCESS_TOKEN: key,
      ...Object.fromEntries(
        Object.entries(server.addresses()).map(([name, address]) => [
          `TRAINYARD_${name.toUpperCase()}_URL`,
          address,
        ]),
      ),
    },
    close: async () => {
      await server.close();
      await rm(checkpoints, { recursive: true, force: true });
    },
  };
}

/** Listens on the port, or on a free one if it is in use. */
async function listen(
  server: LocalServer,
  port: number,
  taken: ServicesOptions["taken"],
): Promise<string> {
  try {
    return await server.listen({ port });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE"))
      throw error;
    const free = await server.listen({ port: 0 });
    taken?.(free);
    return free;
  }
}

/** The models and jobs of the documents' examples, so that the server returns what the examples show. */
async function importAll(server: LocalServer): Promise<void> {
  for (const { kind, file, as } of imports)
    await server.import(kind, records(file), as === undefined ? {} : { as });
}

function records(file: string): object[] {
  const lines = readFileSync(join(import.meta.dirname, file), "utf8")
    .trim()
    .split("\n");
  return lines.map((line): object => JSON.parse(line));
}

/** Trains the weights of agent-1 at steps 1 and 2, with the trainer that runs all jobs. */
async function trainSteps(
  command: readonly [string, ...string[]],
  checkpoints: string,
): Promise<void> {
  const [model] = records("data/models.jsonl").map((record) => ({
    id: "",
    checkpoints: [{ step: 0 }],
    ...record,
  }));
  if (model === undefined) throw new Error("The examples have no model.");
  const file = join(import.meta.dirname, "data/conversations.jsonl");
  const steps = model.checkpoints
    .map(({ step }) => step)
    .filter((step) => step > 0);
  await Promise.all(
    steps.map(async (step) => {
      const directory = join(checkpoints, model.id, `step${step}`);
      await mkdir(directory, { recursive: true });
      const job = { id: "start", kind: "sft", attempt: 1 };
      const checkpoint = { step: 0, directory: null };
      const data = { url: conversations, file };
      await run(command, {
        job,
        model,
        checkpoint,
        output: { step, directory },
        training_data: data,
      });
    }),
  );
}

async function run(
  [program, ...args]: readonly [string, ...string[]],
  job: object,
): Promise<void> {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(JSON.stringify(job));
  const [code] = await once(child, "close");
  if (code !== 0)
    throw new Error(`The trainer of the tiny model ended with exit code ${code}.`);
}
