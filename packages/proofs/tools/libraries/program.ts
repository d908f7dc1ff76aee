/**
 * Runs every call of every library against the addresses in `TARGETS`, and prints the outcome of each as a line of JSON,
 * with its requests.
 */
import { calls as ai } from "./ai.ts";
import type { Calls, Target } from "./call.ts";
import { calls as langchain } from "./langchain.ts";
import { calls as openai } from "./openai.ts";

const libraries: Readonly<Record<string, Calls>> = { openai, ai, langchain };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  status: number;
}

/** Headers that depend on the machine or the key are not recorded. */
const passing = /^(?:authorization|content-length|host|x-stainless-(?:os|arch|runtime.*|timeout|retry-count))$/;

function recording(baseURL: string, sent: Sent[]): Target["fetch"] {
  return async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    const entry: Sent = {
      method: request.method,
      path: request.url.replace(baseURL, ""),
      headers: Object.fromEntries([...request.headers].filter(([name]) => !passing.test(name))),
      body: text === "" ? null : JSON.parse(text),
      status: 0,
    };
    sent.push(entry);
    const response = await fetch(request);
    entry.status = response.status;
    return response;
  };
}

const targets: (Omit<Target, "fetch"> & { readonly server: string })[] = JSON.parse(process.env["TARGETS"] ?? "[]");
for (const { server, ...target } of targets) {
  for (const [library, calls] of Object.entries(libraries)) {
    for (const [name, run] of Object.entries(calls)) {
      const sent: Sent[] = [];
      const fault = await run({ ...target, fetch: recording(target.baseURL, sent) }).then(
        () => null,
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
      );
      console.log(JSON.stringify({ server, service: target.service, library, name, fault, sent }));
    }
  }
}
