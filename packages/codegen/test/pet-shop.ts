import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { generateClient, type ClientOptions } from "../src/generate-client.ts";

export const pets = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
security: [{ token: [] }]
paths:
  /pets:
    get:
      operationId: list_pets
      tags: [Pets]
      parameters: [{ in: query, name: kind, schema: { type: string } }]
      responses:
        200: { description: Pets., content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } } }
    post:
      operationId: create_pet
      tags: [Pets]
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses: { 204: { description: Created. } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Pet:
      type: object
      required: [name]
      properties: { name: { type: string, minLength: 1 }, parent: { $ref: "#/components/schemas/Pet" } }
`;

/** Adds an operation whose path lacks a parameter, and one whose schema has a mistake. */
export const broken = pets.replace(
  "paths:\n",
  "paths:\n  /cats: { get: { operationId: cats, parameters: [{ in: path, name: id, required: true, schema: {} }] } }\n",
);

/** A folder with the document of pets. */
export function petShop(text: string = pets): string {
  const root = mkdtempSync(join(tmpdir(), "trainyard-client-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "pets.yaml"), text);
  return root;
}

export const generated = (root: string, options: Partial<ClientOptions> = {}) =>
  generateClient("pets.yaml", { root, out: "src/pets", validators: "all", ...options });

/** The files of a folder, with the time of their last change. */
export function contents(folder: string): Record<string, [text: string, time: number]> {
  const all = readdirSync(folder, { withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
  return Object.fromEntries(files.map((file) => [file, [readFileSync(file, "utf8"), statSync(file).mtimeMs]]));
}

/** What a program of Node prints. */
export async function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  await once(child, "close");
  return Buffer.concat(output).toString();
}
