import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { events } from "../test/answering.ts";
import { serve } from "../test/server.ts";

const program = join(import.meta.dirname, "../test/programs/left-stream.ts");

describe("an abandoned stream", () => {
  // The limit of the operation is 600 s. A timer of it must not keep the process alive.
  it.each(["unread", "after one event"])("does not keep the process alive: %s", async (how) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(events({ choices: [] }, { choices: [] }));
    });
    const child = spawn(process.execPath, ["--conditions=@trainyard/source", program, url, how]);
    onTestFinished(() => void child.kill());
    let output = "";
    child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
    // A process that a timer keeps alive outlasts the test.
    const [status] = await once(child, "close");
    expect([status, output]).toEqual([0, "left\n"]);
  });
});
