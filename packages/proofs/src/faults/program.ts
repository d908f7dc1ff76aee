/**
 * The fault table, without its waits: takes the stages of the fault server from the environment, makes one attempt at each,
 * and prints the outcomes as JSON.
 */
import { calls, type Kind } from "./calls.ts";

interface Stage {
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** Whether the connection was used before. */
  readonly isReused: boolean;
}

const stages: readonly Stage[] = JSON.parse(process.env["FAULT_STAGES"] ?? "");
const outcomes: string[] = [];
for (const { kind, baseUrl, timeoutMs, isReused } of stages) {
  if (isReused) await (await fetch(`${baseUrl}/`)).text();
  const { signal } = new AbortController();
  const apiKey = process.env["FAULT_KEY"] ?? "";
  const target = { baseUrl, apiKey, timeoutMs, maxRetries: 0, signal, seen: () => {}, fetch: globalThis.fetch };
  let guard: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<string>((done) => (guard = setTimeout(() => done("hangs"), 20_000)));
  const played = calls[kind](target).then(
    () => "value",
    (error: Error & { readonly outcomeUnknown?: boolean; readonly headers?: Headers }) =>
      error.name +
      (error.outcomeUnknown ? " ?" : "") +
      (error.headers && [...error.headers].join().includes(apiKey) ? ", key shown" : ""),
  );
  outcomes.push(await Promise.race([played, hung]));
  clearTimeout(guard);
}
console.log(JSON.stringify(outcomes));
process.exit();
