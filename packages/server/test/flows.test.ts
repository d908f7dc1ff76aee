import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedServer } from "./lib.ts";

const root = join(import.meta.dirname, "../../..");
const flows = globSync("openapi/flows/*.yaml", { cwd: root }).toSorted();
const server = sharedServer();

it("goes through every flow of the guides", async () => {
  const url = await server.listen({ port: 0 });
  const project = "team-0/support-desk";
  await server.import("objects", [
    { project_id: project, object_id: "agent-1-instructions", val: { text: "Be brief." } },
  ]);
  const record = { id: "f1", project_id: project, created_at: "2026-11-04T07:00:00Z", feedback_type: "score" };
  await server.import("feedback", [{ ...record, payload: { output: { score: 1 } } }]);
  const servers = { training: url, inference: `${url}/inference/v1`, auxiliary: `${url}/auxiliary` };
  const inputs = { key: server.keys[0]?.key, name: "agent-1", project, object: "agent-1-instructions" };
  const [code, output] = await respect([
    ...flows,
    ...Object.entries(servers).flatMap(([name, address]) => ["--server", `${name}=${address}`]),
    ...Object.entries(inputs).flatMap(([name, value]) => ["--input", `${name}=${value}`]),
  ]);
  expect(flows.length).toBeGreaterThan(0);
  expect([code, output]).toEqual([0, expect.any(String)]);
}, 60_000);

function respect(args: string[]): Promise<[number | null, string]> {
  const cli = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(process.execPath, [cli, "respect", ...args], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve([code, output]));
  });
}
