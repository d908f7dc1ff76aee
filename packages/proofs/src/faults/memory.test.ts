/** @module-tag long */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { frames } from "./calls.ts";
import type { Kept } from "./read-stream.ts";

/** The address of a service that streams this many mebibytes of text, in events of 32 KiB. */
async function streaming(megabytes: number): Promise<string> {
  const text = "x".repeat(2 ** 15);
  const event = (frames[0] ?? "").replace("Good ", text);
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let left = megabytes * 32;
    const writeNext = (): void => {
      while (left > 0) {
        left--;
        if (!response.write(event)) return void response.once("drain", writeNext);
      }
      response.end(frames.at(-1));
    };
    writeNext();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function kept(megabytes: number, accumulate: boolean): Promise<Kept> {
  const program = join(import.meta.dirname, "read-stream.ts");
  const flags = ["--expose-gc", "--conditions=@trainyard/source"];
  const args = [await streaming(megabytes), String(megabytes), String(accumulate)];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, ...args]);
  const answer: Kept = JSON.parse(stdout);
  expect(answer.read).toBe(megabytes);
  return answer;
}

// A gigabyte takes about ten seconds: set STREAM_MB=1024.
const megabytes = Number(process.env["STREAM_MB"] ?? 64);

it(`keeps nothing of a stream of ${megabytes} MB without accumulation`, async () => {
  const { growth, peak } = await kept(megabytes, false);
  expect(growth).toBeLessThan(4);
  // Garbage that is not collected yet: Node itself needs about 60.
  expect(peak).toBeLessThan(400);
}, 300_000);

it("keeps the text with accumulation, which validates the measurement", async () => {
  const { growth } = await kept(16, true);
  expect(growth).toBeGreaterThan(8);
  expect(growth).toBeLessThan(40);
});
