import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The files of the flows, one per guide. */
export function flowFiles(): string[] {
  return globSync("openapi/flows/*.yaml", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
}

/**
 * Runs all flows at once in a child process, so that the server may run in this one.
 *
 * @param servers the addresses of the services by name
 * @param inputs the inputs of the flows: `key`
 * @returns the output
 * @throws Error with the output if one of them fails
 */
export function goThroughFlows(
  servers: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>>,
): Promise<string> {
  const args = [
    ...flowFiles(),
    ...Object.entries(servers).flatMap(([name, address]) => ["--server", `${name}=${address}`]),
    ...Object.entries(inputs).flatMap(([name, value]) => ["--input", `${name}=${value}`]),
  ];
  const cli = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = spawn(process.execPath, [cli, "respect", ...args], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  return new Promise((resolve, reject) => {
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(output))));
  });
}
