/** The worker of a page: the local server, the clients and the trainer, all in memory. */
import type { Services } from "@trainyard/server/page";
import { learn } from "../learn/loop.ts";
import { beatEvery, type FromWorker, type ToWorker } from "../protocol.ts";
import { printed } from "./print.ts";
import { recorded } from "./recorded.ts";
import { controlKey, key, startServer } from "./server.ts";
import { surroundSamples, surroundServer } from "./surroundings.ts";
import type { LearnSettings } from "../learn/settings.ts";

/** A reserved name: requests to elsewhere cannot reach a real server. */
const host = "http://local.invalid";

/**
 * Starts the worker.
 *
 * @param home the address of the page's files
 * @param port receives the messages of the page
 */
export async function start(home: string, port: Promise<MessagePort>): Promise<void> {
  serve(home, await port);
}

function serve(home: string, port: MessagePort): void {
  const post = (message: FromWorker) => port.postMessage(message);
  const load = globalThis.fetch.bind(globalThis);
  surroundServer();
  const { services, storyWeights } = startServer(async (file) => {
    const response = await load(home + file);
    if (!response.ok) throw new Error(`${file} could not be loaded: ${response.status}.`);
    return response;
  });
  const answer = async (request: Request): Promise<Response> => {
    if (!request.url.startsWith(`${host}/`))
      throw new TypeError(`A page can send requests only to its own services, not to ${request.url}`);
    return (await services()).fetch(request);
  };
  const ready = (request: Request, body: string) => {
    // They are trained for the first request that may need them, or once a run has ended.
    const needsWeights = body.includes("artifact:") || request.url.includes("/training-jobs");
    return Promise.all([services(), needsWeights && storyWeights()]);
  };
  surroundSamples(
    {
      variables: {
        TRAINYARD_API_KEY: key,
        TRAINYARD_ACCESS_TOKEN: key,
        TRAINYARD_TRAINING_URL: host,
        TRAINYARD_INFERENCE_URL: `${host}/inference/v1`,
        TRAINYARD_AUXILIARY_URL: `${host}/auxiliary`,
      },
      fetch: recorded(answer, post, ready),
      print: (text, isError) => post({ kind: "print", text, isError }),
    },
    printed,
  );
  let runs = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let settings: LearnSettings | undefined;
  const run = async (sample: string) => {
    // A module runs only once, so each run uses another address of it. Its requests wait until the services have
    // started.
    runs += 1;
    clearTimeout(rest);
    await Promise.all([services(), import(`${home}samples/${sample}.js?run=${runs}`)]);
    // Do not delay samples that are run one after the other.
    rest = setTimeout(() => void storyWeights(), 2000);
  };
  const handle = async (message: ToWorker): Promise<void> => {
    switch (message.kind) {
      case "run":
        return ended(run(message.sample), post);
      case "settings":
        settings = message.settings;
        return undefined;
      case "learn":
        settings = message.settings;
        return ended(
          services().then((server) => learn({ server, settings: () => settings ?? message.settings, post })),
          post,
        );
      case "read":
        return read(await services(), message, post);
    }
  };
  port.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void handle(data));
  port.start();
  // As in Node, an uncaught error ends a program; the services continue.
  for (const event of ["error", "unhandledrejection"] as const) {
    addEventListener(event, (fault) => {
      fault.preventDefault();
      const reason: unknown = fault instanceof ErrorEvent ? fault.error : fault.reason;
      post({ kind: "done", error: nameOf(reason) });
    });
  }
  setInterval(() => post({ kind: "beat" }), beatEvery);
  post({ kind: "beat" });
}

/** Reports the end of a run, with its error if it failed. */
async function ended(work: Promise<unknown>, post: (message: FromWorker) => void): Promise<void> {
  try {
    await work;
    post({ kind: "done" });
  } catch (error) {
    post({ kind: "done", error: nameOf(error) });
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Answers the reads of the console's components, with the requests that the console sends. */
async function read(
  server: Services,
  { id, path }: Extract<ToWorker, { kind: "read" }>,
  post: (message: FromWorker) => void,
) {
  const headers = { Authorization: `Bearer ${controlKey}` };
  const response = await server.fetch(new Request(`http://local.invalid${path}`, { headers }));
  post({ kind: "read", id, status: response.status, body: await response.text() });
}
