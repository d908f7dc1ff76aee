import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { broken, contents, generated, pets, petShop } from "../test/pet-shop.ts";

it("names an operation that cannot be generated and leaves it out, or fails with `strict`", async () => {
  const root = petShop(broken);
  const report = await generated(root);
  expect(report.operations).toBe(2);
  expect(report.leftOut.map(({ what }) => what)).toEqual([["GET /cats"]]);
  expect(report.problems).toEqual([
    {
      file: "pets.yaml",
      line: 5,
      column: expect.any(Number),
      message: "GET /cats cannot be generated: The path parameter id is not in the path.",
      cure: "Write {id} in the path, or remove the parameter.",
    },
  ]);
  const before = contents(join(root, "src/pets"));
  writeFileSync(join(root, "pets.yaml"), broken.replace("list_pets", "all_pets"));
  await expect(generated(root, { strict: true })).rejects.toThrow("GET /cats cannot be generated");
  expect(contents(join(root, "src/pets"))).toEqual(before);
});

it("names paths and operations that nothing reads, and fails with `strict`", async () => {
  const operation = "{ responses: { 204: { description: Done. } } }";
  const root = petShop(
    pets.replace(
      "paths:\n",
      `paths:\n  /cats: { pots: ${operation}, post: ${operation} }\n  dogs: { get: ${operation} }\n`,
    ),
  );
  const { problems, operations } = await generated(root);
  expect(operations).toBe(3);
  expect(problems).toMatchObject([
    { line: 5, message: expect.stringContaining("`pots` of /cats is no operation") },
    { line: 6, message: expect.stringContaining("dogs does not begin with a slash") },
  ]);
  await expect(generated(root, { strict: true })).rejects.toThrow("`pots` of /cats");
});

it("names a body that is not sent, and fails with `strict`", async () => {
  const body = "requestBody: { content: { application/json: { schema: { type: object } } } }";
  const root = petShop(pets.replace("operationId: list_pets", `operationId: list_pets\n      ${body}`));
  const { problems, operations } = await generated(root);
  expect(operations).toBe(2);
  expect(problems).toMatchObject([{ line: 8, message: expect.stringContaining("declares a body for GET") }]);
  await expect(generated(root, { strict: true })).rejects.toThrow("declares a body for GET");
});

it("names the addresses of a path and of an operation, which no request goes to, and fails with `strict`", async () => {
  const servers = "servers: [{ url: https://pets.test }]";
  const other = servers.replace("pets", "files");
  const text = pets.replace("  /pets:\n", `  /pets:\n    ${other}\n`).replace("security:", `${servers}\nsecurity:`);
  const root = petShop(
    text
      .replace("operationId: list_pets", `operationId: list_pets\n      ${other}`)
      .replace("operationId: create_pet", `operationId: create_pet\n      ${servers}`),
  );
  const { problems, operations } = await generated(root);
  expect(operations).toBe(2);
  expect(problems).toMatchObject([
    { line: 7, message: expect.stringContaining("/pets has `servers` of its own") },
    { line: 10, message: expect.stringContaining("pets.list has `servers` of its own") },
  ]);
  await expect(generated(root, { strict: true })).rejects.toThrow("/pets has `servers` of its own");
});

it.each([
  ["list_pets", "the operationId list_pets"],
  ["listPets", "operationIds that differ only in spelling, list_pets, listPets"],
])("tells each operation with an operationId of another, %s, and generates them", async (id, have) => {
  const { problems, operations } = await generated(petShop(pets.replace("create_pet", id)));
  expect(operations).toBe(2);
  const message = `2 operations have ${have}: GET /pets, POST /pets.`;
  expect(problems.map((one) => one.message)).toEqual([message, message]);
  expect(new Set(problems.map(({ line }) => line)).size).toBe(2);
});

it("leaves out what needs a credential that cannot be sent, whatever its name is", async () => {
  const root = petShop(
    `openapi: 3.1.0
info: { title: Pets, version: 1.0 }
paths:
  /a: { get: { security: [{ mutual-tls: [] }], responses: {} } }
  /b: { get: { parameters: [{ in: querystring, name: q, content: { text/plain: {} } }], responses: {} } }
  /c: { get: { responses: {} } }
components: { securitySchemes: { mutual-tls: { type: mutualTLS } } }
`,
  );
  const { leftOut, operations } = await generated(root);
  expect(leftOut.flatMap(({ what }) => what).toSorted()).toEqual(["GET /a", "GET /b"]);
  expect(operations).toBe(1);
});

it("leaves out the validator of a schema that can have none, and of what refers to it, by name", async () => {
  const own = (type: string) => `{ $id: "https://vendor.example/s", type: ${type} }`;
  const more = `    One: ${own("integer")}\n    Two: ${own("string")}\n`;
  const text = `${pets}${more}`.replace("parent: {", 'one: { $ref: "#/components/schemas/Two" }, parent: {');
  const root = petShop(text);
  const { problems, operations } = await generated(root);
  expect(operations).toBe(2);
  expect(problems).toMatchObject([
    { line: 25, message: expect.stringContaining("validator of Two cannot be generated: reference") },
    { line: 20, message: expect.stringContaining("validator of Pet cannot be generated: can't resolve") },
    { message: expect.stringContaining("validator of PetsListResult cannot be generated: can't resolve") },
  ]);
  await expect(generated(root, { strict: true })).rejects.toThrow("The validator of Two");
});
