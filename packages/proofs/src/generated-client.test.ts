/** A client of somebody's document, as a program in another repository has it, against our mock of the same document. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateClient } from "@trainyard/codegen/generate-client";
import { readFile } from "@trainyard/document/files";
import { startMock } from "@trainyard/mock";
import { root } from "@trainyard/release/workspace";
import { expect, it, onTestFinished } from "vitest";

const pets = `openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://pets.example/v2 }]
security: [{ api_key: [] }]
paths:
  /pets/{petId}.json:
    get:
      operationId: get_pet
      tags: [Pets]
      parameters: [{ in: path, name: petId, required: true, schema: { type: integer } }]
      responses:
        "200": { description: A pet., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
    delete:
      tags: [Pets]
      parameters: [{ in: path, name: petId, required: true, schema: { type: integer } }]
      responses: { "204": { description: Gone. } }
  /pets:
    post:
      operationId: create-pet
      tags: [Pets]
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      responses:
        "201": { description: Made., content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
        "422": { description: Invalid. }
  /pets/photo:
    get: { responses: { "200": { description: A photo., content: { image/png: {} } } } }
components:
  securitySchemes: { api_key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string, minLength: 1 }, tag: { type: string, nullable: true } } }
`;

it("calls every operation, sends the key, and validates what is sent and received", { tags: ["long"] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-pets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules/@trainyard"), { recursive: true });
  symlinkSync(join(root, "packages/core"), join(folder, "node_modules/@trainyard/core"), "junction");
  writeFileSync(join(folder, "pets.yaml"), pets);
  const { operations } = await generateClient("pets.yaml", {
    root: folder,
    out: "pets",
    validators: "all",
    strict: true,
  });
  expect(operations).toBe(4);
  const { document } = await readFile("pets.yaml", { root: folder });
  const none = { training: undefined, inference: undefined, auxiliary: undefined };
  const mock = await startMock({ documents: { ...none, pets: document } });
  onTestFinished(() => mock.close());
  const { createPetsClient, UnprocessableError } = await import(join(folder, "pets/index.ts"));
  const validators = await import(join(folder, "pets/validators.ts"));
  const options = { baseUrl: mock.addresses["pets"], apiKey: "a-key", maxRetries: 0 };
  const client = createPetsClient({ ...options, validators });
  expect(validators.isPet(await client.pets.get(7))).toBe(true);
  expect(await client.pets.deleteByPetIdJson(7)).toBeUndefined();
  expect(await client.pets.create({ name: "Tom", tag: null })).toMatchObject({ name: expect.any(String) });
  await expect(client.pets.create({ name: "" })).rejects.toThrow("name");
  await expect(createPetsClient(options).pets.create({ name: "" })).rejects.toThrow(UnprocessableError);
  expect(await client.pets.getPhoto()).toMatchObject({ type: "image/png" });
});
