import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, started } from "@trainyard/release/run";
import { strictOptions } from "@trainyard/release/program";
import { expect } from "vitest";
import { program } from "./program.ts";

/** Documents of others, in a folder of the program: one file, a newer version that breaks callers, and one of several files. */
const folder = join(program, "shop");
const document = (type: string): string => `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      tags: [orders]
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        "200":
          description: The orders.
          content:
            application/json:
              schema: ${type}
              example: [{ id: a }]
`;
const list = "{ type: array, items: { type: object, properties: { id: { type: string } } } }";

/** Runs the installed command as the shell of its user does. */
function trainyard(...args: readonly string[]): { readonly code: number | null; readonly text: string } {
  const cli = join(program, "node_modules/trainyard/dist/cli.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: "utf8" });
  return { code: status, text: stdout + stderr };
}

function expectOf(args: readonly string[], code: number, pattern: RegExp): RegExpExecArray {
  const found = trainyard(...args);
  const match = found.code === code ? pattern.exec(found.text) : null;
  if (match === null)
    throw new Error(`\`trainyard ${args.join(" ")}\` ended with ${found.code}, and printed:\n${found.text}`);
  return match;
}

/** Each command is listed, and prints its own help, without the optional packages. */
export function helpOfEach(): void {
  mkdirSync(folder);
  const names = [...trainyard("--help").text.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expectOf([name, "--help"], 0, new RegExp(`^trainyard ${name}[: ]`));
}

/** The commands that work with the document of anybody, without the optional packages. */
export async function wordsWithoutPeers(): Promise<void> {
  writeFileSync(join(folder, "openapi.yaml"), document(list));
  writeFileSync(join(folder, "newer.yaml"), document(list.replace("{ type: string }", "{ type: integer }")));
  writeFileSync(join(folder, "several.yaml"), document("{ $ref: list.yaml }"));
  writeFileSync(join(folder, "list.yaml"), `${list}\n`);
  expectOf(["check", "openapi.yaml", "openapi.yaml"], 0, /no changes/);
  expectOf(["check", "openapi.yaml", "newer.yaml"], 1, /^ {2}breaking .*newer\.yaml:14$/m);
  expectOf(["keys", "add", "harbor"], 0, /^ty_/);
  expectOf(["backup", "copy"], 1, /There is no data file/);
  expectOf(["restore", "copy", "--data", "restored"], 1, /manifest\.json is missing/);
  expectOf(["prune", "--logs", "90d"], 1, /There is no data file/);
  expectOf(["import", "models", "none.jsonl"], 1, /cannot be read/);
  expectOf(["slurm"], 1, /^Name the program/);
  expectOf(["tiny", "base"], 0, /^demo\/tiny: /);
  const cli = join(program, "node_modules/trainyard/dist/cli.js");
  const options = [cli, "mock", "openapi.yaml", "--port", "0"];
  const { child, match } = await started(process.execPath, options, { cwd: folder }, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const call = ["call", "orders.list", "--document", "openapi.yaml", "--base-url", match[0]];
    expectOf(call, 0, /^\[\{"id":"a"\}\]\n/);
    expectOf(["verify", "--document", "openapi.yaml", match[0]], 0, /no findings/);
  } finally {
    child.kill();
  }
}

/** What needs an optional package names the line that installs it, and works after that. */
export function wordsWithPeers(): void {
  const needs = /Install with: npm (install --save-dev .*)\n$/;
  const [, line = ""] = expectOf(["generate", "several.yaml", "--out", "src/several"], 1, needs);
  // `trainyard generate` wrote nothing before it failed.
  expect(readdirSync(folder)).not.toContain("src");
  expectOf(["generate", "openapi.yaml", "--out", "src/shop"], 0, /1 operation, 2 files/);
  run("npm", [...line.split(" "), "--no-audit", "--no-fund", "--loglevel=error"], { cwd: program });
  expectOf(["call", "--document", "several.yaml"], 0, /orders\.list/);
  expectOf(["generate", "several.yaml", "--out", "src/several"], 0, /1 operation, 2 files/);
  expectOf(["generate", "openapi.yaml", "--out", "src/shop"], 0, /nothing changed/);
  writeFileSync(
    join(folder, "src/program.ts"),
    'import { createShopClient } from "./shop/index.ts";\nconst [first] = await createShopClient().orders.list();\nconsole.log(first?.id?.length);\n',
  );
  const compilerOptions = { ...strictOptions, module: "nodenext" };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  run(process.execPath, [join(program, "node_modules/typescript7/bin/tsc"), "-p", "tsconfig.json"], { cwd: folder });
  expectOf(["uses", "--out", "-"], 0, /"version": 1/);
}
