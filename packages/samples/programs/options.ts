import { createInferenceClient } from "@trainyard/inference";

// These apply to each call of the client.
const inference = createInferenceClient({
  timeoutMs: 20_000,
  maxRetries: 4,
  headers: { "x-team": "support-desk" },
  logger: console,
});

// These apply to one call. They override those of the client.
const leaving = new AbortController();
const { data } = await inference.models.list({
  maxRetries: 0,
  totalTimeoutMs: 5000,
  signal: leaving.signal,
});
console.log(data.length, "models");
