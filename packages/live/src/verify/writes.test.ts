/** What a run does to the service of a stranger. A stand-in keeps what it is sent, and records each request. */
import { readDocument } from "@trainyard/document";
import { expect, it } from "vitest";
import { verify } from "./verify.ts";

type Json = Readonly<Record<string, unknown>>;

const json = (schema: Json, more: Json = {}): Json => ({ content: { "application/json": { schema, ...more } } });
const id = { name: "petId", in: "path", required: true, example: 7, schema: { type: "integer" } };
const Pet = {
  type: "object",
  required: ["name"],
  properties: { id: { type: "integer" }, name: { type: "string" }, kind: { enum: ["cat", "dog"] } },
};
const answer = { ...json({ ...Pet, required: ["id", "name"] }), description: "A pet." };
const sent = { required: true, ...json(Pet, { example: { id: 7, name: "Ada", kind: "cat" } }) };
const nothing = { description: "Nothing." };

const paths = {
  "/pets": {
    get: { operationId: "listPets", responses: { "2XX": json({ type: "array", items: Pet }), default: nothing } },
    post: { operationId: "addPet", requestBody: sent, responses: { "2XX": answer, "4XX": nothing } },
  },
  "/pets/{petId}": {
    parameters: [id],
    get: { operationId: "getPet", responses: { 200: answer, 404: nothing } },
    put: { operationId: "putPet", requestBody: sent, responses: { 200: answer, 404: nothing } },
    patch: { operationId: "patchPet", requestBody: sent, responses: { 200: answer, default: nothing } },
    delete: { operationId: "deletePet", responses: { 204: nothing, 404: nothing } },
  },
  "/settings": { put: { operationId: "putSettings", requestBody: sent, responses: { 200: nothing } } },
  "/restart": { post: { operationId: "restart", responses: { 204: nothing } } },
  "/carts/{cartId}": {
    delete: {
      operationId: "deleteCart",
      parameters: [{ ...id, name: "cartId" }],
      responses: { 204: nothing, 404: nothing },
    },
  },
};

/** Verifies a service that has the pet 7 of somebody. */
async function verified({
  status = 201,
  changed = {},
  write = true,
}: {
  status?: number;
  changed?: Json;
  write?: boolean;
}) {
  const pets = new Map<string, Json>([["7", { id: 7, name: "Ada", kind: "cat" }]]);
  const requests: string[] = [];
  let next = 40;
  const fetch = async (url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const [, collection, one] = pathname.split("/");
    if (collection !== "pets") return new Response("<h1>No.</h1>", { status: 404 });
    if (one === undefined && request.method === "GET") return Response.json([...pets.values()]);
    const body: unknown = await request.json().catch(() => undefined);
    const { id: own, name, kind } = Object(body);
    const isValid =
      typeof name === "string" &&
      ["cat", "dog", undefined].includes(kind) &&
      (own === undefined || Number.isInteger(own));
    if (one === undefined) {
      if (!isValid) return new Response(null, { status: 400 });
      const pet = { ...Object(body), id: next++ };
      pets.set(String(pet.id), pet);
      return Response.json({ ...pet, ...changed }, { status });
    }
    const there = pets.get(one);
    if (there === undefined) return new Response(null, { status: 404 });
    if (request.method === "DELETE") pets.delete(one);
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (request.method === "GET") return Response.json(there);
    if (!isValid) return new Response(null, { status: 404 });
    return Response.json(there);
  };
  const document = readDocument({ openapi: "3.1.0", info: {}, paths });
  const service = { name: "pets", document, baseUrl: "http://127.0.0.1", credentials: {}, fetch };
  const result = await verify([service], write ? { write: [] } : {});
  const changes = requests.filter((one) => /^(PUT|PATCH|DELETE)/.test(one));
  const why = new Map(result.coverage.map((one) => [`${one.operation} ${one.status}`, one.why]));
  return { ...result, pets, requests, changes, why };
}

it("creates, changes and deletes what is its own, and touches nothing else", async () => {
  const { pets, changes, why, left, coverage } = await verified({});
  expect([...pets.keys()]).toEqual(["7"]);
  expect(new Set(changes.map((one) => one.replace(/\d+$/, "…")))).toEqual(
    new Set(["PUT /pets/…", "PATCH /pets/…", "DELETE /pets/…"]),
  );
  expect(changes.filter((one) => one.endsWith("/7"))).toEqual([]);
  expect(left).toEqual([]);
  expect(why.get("putSettings 200")).toBe("not tried: this run created nothing below which it acts");
  expect(why.get("restart 204")).toBe("not tried: no operation reads or deletes what it creates");
  expect(why.get("deleteCart 204")).toBe("not tried: this run created nothing that it deletes");
  const seen = coverage.filter((one) => one.seen > 0).map(({ operation, status }) => `${operation} ${status}`);
  expect(seen).toEqual(expect.arrayContaining(["addPet 2XX", "putPet 200", "patchPet 200", "deletePet 204"]));
});

it("finds a wrong answer to a right request", async () => {
  const { findings } = await verified({ changed: { name: 5 } });
  expect(findings.map(({ says }) => says)).toEqual([expect.stringContaining("`name`")]);
});

it("contradicts nothing by what the document is silent about", async () => {
  const { findings } = await verified({});
  // What it does not serve it answers in HTML.
  expect(findings.filter(({ operations }) => operations.join() !== "restart")).toEqual([]);
});

it("does not touch what exists without --write", async () => {
  const { changes, why } = await verified({ write: false });
  expect(changes).toEqual([]);
  expect(why.get("putPet 404")).toBe("needs --write");
});
