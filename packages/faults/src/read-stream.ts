/**
 * Reads a stream to its end in a process of its own, and writes what it kept of it to the standard output.
 * `node --expose-gc read-stream.ts <url> <megabytes> <accumulate>`
 */
import { createTrainingClient } from "@trainyard/training";
import { question } from "./calls.ts";

/** What a reader of a stream kept. */
export interface Kept {
  /** Mebibytes that came, of text. */
  readonly read: number;
  /** Mebibytes by which memory in use grew from the first eighth of the stream to its end. */
  readonly growth: number;
  /** The most mebibytes that the process held at one time. */
  readonly peak: number;
}

const mebi = 2 ** 20;

async function used(): Promise<number> {
  // Twice, with a turn between: what was being received is let go of only then.
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
  // The stream is still held here: what it keeps is counted.
  if (!stream) throw new Error("There was a stream.");
  process.stdout.write(JSON.stringify(kept));
}
