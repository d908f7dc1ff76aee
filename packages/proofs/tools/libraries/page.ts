/** `openai` in a page. It writes its outcome to the body: `done`, or the failures. */
import { calls } from "./openai.ts";

const addresses: Readonly<Record<"inference" | "training", string>> = JSON.parse(
  new URLSearchParams(location.search).get("addresses") ?? "{}",
);
const apiKey = new URLSearchParams(location.search).get("key") ?? "";

const faults: string[] = [];
for (const service of ["inference", "training"] as const) {
  const target = { service, baseURL: addresses[service], apiKey, model: "demo/tiny", fetch: fetch.bind(globalThis) };
  for (const [name, run] of Object.entries(calls))
    await run(target).catch((error: unknown) => faults.push(`${service} ${name}: ${String(error)}`));
}
document.body.dataset["outcome"] = faults.join("\n") || "done";
