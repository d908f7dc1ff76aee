import type { HttpClient } from "../src/http.ts";
import {
  createDemoClient,
  createDemoHttp,
  type DemoClient,
  type DemoClientOptions,
  type paths,
} from "./demo-client.ts";

/** The arguments of a call of a test's `fetch`. */
export interface Sent {
  url: string;
  init: RequestInit & { headers: Headers };
  headers: Record<string, string>;
}

/** How a test's `fetch` handles one request: responds, fails, or responds with the status that a number names. */
export type Answering = Response | Error | number | ((url: string, init: RequestInit) => Response | Promise<Response>);

/** A `fetch` that returns these responses in turn, repeats the last one, and records its calls. */
export function answering(...answers: [Answering, ...Answering[]]): {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  sent: Sent[];
} {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      sent.push({ url, init: { ...init, headers }, headers: Object.fromEntries(headers) });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      if (typeof answer === "number")
        return Response.json({ id: "m1", name: "n", base_model: "b" }, { status: answer });
      if (typeof answer === "function") return answer(url, init);
      return (answer ?? Response.error()).clone();
    },
  };
}

/** A client that gets these responses, with methods and by path, and the requests that it sent. */
export function demo(
  answers: [Answering, ...Answering[]],
  options: DemoClientOptions = {},
): { client: DemoClient; http: HttpClient<paths>; sent: Sent[] } {
  const { fetch, sent } = answering(...answers);
  const all = { baseUrl: "http://demo.test", apiKey: "key-of-the-demo", fetch, ...options };
  return { client: createDemoClient(all), http: createDemoHttp(all), sent };
}

/** A failure of Node's `fetch`, with the code of its cause. */
export function failure(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("why"), { code }) });
}

/** The rejection of a promise. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("The promise was expected to reject.");
}

/** Chunks as a stream of events, ended as the contract says. */
export function events(...items: unknown[]): string {
  return [...items.map((item) => `data: ${JSON.stringify(item)}\n\n`), "data: [DONE]\n\n"].join("");
}

/** A response that streams these chunks. */
export function streamed(...pieces: (string | Uint8Array)[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
