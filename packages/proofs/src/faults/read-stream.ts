/**
 * Reads a stream to its end in a separate process, and prints what it kept of it.
 * `node --expose-gc read-stream.ts <url> <megabytes> <accumulate>`
 */
import { createTrainingClient } from "@trainyard/training";
import { question } from "./calls.ts";

/** The memory that a reader of a stream kept. */
export interface Kept {
  /** Mebibytes of received text. */
  readonly read: number;
  /** Mebibytes of growth in used memory, from the first eighth of the stream to its end. */
  readonly growth: number;
  /** The peak memory of the process, in mebibytes. */
  readonly peak: number;
}

const mebi = 2 ** 20;

async function used(): Promise<number> {
  // Twice, with a turn between, because data that was being received is released only then.
  globalThis.gc?.();
  await new Promise((done) => setTimeout(done, 20));
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / mebi;
}

const [baseUrl = "", megabytes = "", accumulate = ""] = process.argv.slice(2);
if (baseUrl) {
  const client = createTrainingClient({ baseUrl, apiKey: "k" });
  const stream = await client.chat.completions.create(
    { ...question, stream: true },
    { accumulate: accumulate === "true" },
  );
  let read = 0;
  let start: number | undefined;
  for await (const chunk of stream) {
    read += (chunk.choices[0]?.delta.content?.length ?? 0) / mebi;
    if (start === undefined && read > Number(megabytes) / 8) start = await used();
  }
  const kept: Kept = { read, growth: (await used()) - (start ?? 0), peak: process.resourceUsage().maxRSS / 1024 };
  // The stream is still referenced here, so what it keeps is counted.
  if (!stream) throw new Error("There is no stream.");
  process.stdout.write(JSON.stringify(kept));
}
