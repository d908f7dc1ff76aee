/** The worker of a page: the local server, the clients and the trainer, all in memory. */
import type { Services } from "@trainyard/server/page";
import { learn } from "../learn/loop.ts";
import { beatEvery, notLoaded, Told, type FromWorker, type LearnSettings, type ToWorker } from "../protocol.ts";
import { printed as printedText } from "./print.ts";
import { recorded } from "./recorded.ts";
import { controlKey, key, startServer } from "./server.ts";
import { surroundSamples, surroundServer } from "./surroundings.ts";

/** The most characters of a program's output that are shown. A program may print without end. */
const most = 200_000;

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
  const { fetch } = globalThis;
  surroundServer();
  const load = async (file: string): Promise<Response> => {
    const response = await fetch(home + file).catch(() => undefined);
    if (!response?.ok) throw new Told(notLoaded);
    return response;
  };
  const { services, storyWeights } = startServer(load);
  let runs = 0;
  let printed = 0;
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
      print: (text, isError) => {
        if (printed > most) return;
        printed += text.length;
        post({ kind: "print", isError, text: printed > most ? "\n… It prints more than is shown here." : text });
      },
    },
    printedText,
  );
  let rest: ReturnType<typeof setTimeout> | undefined;
  let settings: LearnSettings | undefined;
  const run = async ({ sample, text }: Extract<ToWorker, { kind: "run" }>) => {
    // A module runs only once, so each run uses another address of it.
    runs += 1;
    printed = 0;
    clearTimeout(rest);
    await services();
    const { address, files } =
      text === undefined
        ? { address: `${home}samples/${sample}.js?run=${runs}`, files: [`samples/${sample}.js`] }
        : (await import("./edited.ts").catch(() => Promise.reject(new Told(notLoaded)))).moduleOf(text, home);
    try {
      await import(address);
    } catch (error) {
      // The error of an import does not say whether its file was loaded.
      if (error instanceof TypeError) await Promise.all(files.map(load));
      throw error;
    }
    // Do not delay samples that are run one after the other.
    rest = setTimeout(() => void storyWeights(), 2000);
  };
  const handle = async (message: ToWorker): Promise<void> => {
    switch (message.kind) {
      case "run":
        return ended(run(message), post);
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
      post({ kind: "done", error: sentenceOf(reason) });
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
    post({ kind: "done", error: sentenceOf(error) });
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Told) return error.message;
  if (!(error instanceof Error)) return `It ended with ${String(error)}`;
  // An edited sample is the only module with such an address, and its lines are those of its text.
  const [, line] = /blob:\S+?:(\d+):\d+/.exec(error.stack ?? "") ?? [];
  return `It ended with ${error.name}: ${error.message}${line === undefined ? "" : ` (line ${line})`}`;
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
