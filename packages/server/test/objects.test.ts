import { expect, it } from "vitest";
import { send, sharedServer } from "./lib.ts";

const server = sharedServer();

async function setUp() {
  const entity = server.fresh();
  const project = `${entity}/desk`;
  const { auxiliary } = server.clients(entity);
  const read = (digest: string, extra: object = {}) =>
    auxiliary.objects.read({ project_id: project, object_id: "prompt", digest, ...extra }).then(({ obj }) => obj);
  const bring = (...records: object[]) =>
    server.import(
      "objects",
      records.map((record) => ({ project_id: project, object_id: "prompt", ...record })),
    );
  return { entity, project, read, bring, auxiliary };
}

it("finds a version by latest, number, hash and alias, in this order", async () => {
  const { read, bring } = await setUp();
  await bring({ val: {} }, { val: { a: 1, nested: { k: "v" } }, aliases: ["prod", "latest", "v0"] });
  expect(await read("v0")).toMatchObject({
    digest: "RBNvo1WzZ4oRRq0W9XhknpT7T8If536DEMBg9hyqY4o",
    version_index: 0,
    is_latest: 0,
  });
  const second = await read("latest");
  expect(second).toMatchObject({
    version_index: 1,
    is_latest: 1,
    val: { a: 1, nested: { k: "v" } },
    tags: null,
    aliases: null,
  });
  expect(second.digest).toBe("cnV7vcYRFbC9UsVcvTEV9KQSrXzO8XHxFC7PZykR1b0");
  expect(await read(second.digest)).toEqual(second);
  expect(await read("prod")).toEqual(second);
  // A name that could be something other than an alias means that.
  await bring({ val: 3, aliases: [second.digest, "v7", "v1"] });
  expect(await read(second.digest)).toMatchObject({ version_index: 1 });
  expect(await read("v1")).toMatchObject({ version_index: 1 });
  expect(await read("v7")).toMatchObject({ version_index: 2 });
});

it("omits the content if it is not requested, and returns names if they are", async () => {
  const { read, bring } = await setUp();
  await bring({ val: [1], tags: ["b", "a", "b"], aliases: ["x"] }, { val: [2] });
  expect(await read("v0", { metadata_only: true, include_tags_and_aliases: true })).toMatchObject({
    val: {},
    tags: ["a", "b"],
    aliases: ["x"],
    size_bytes: 3,
  });
  expect(await read("v1", { metadata_only: null, include_tags_and_aliases: true })).toMatchObject({
    val: [2],
    tags: [],
    aliases: ["latest"],
  });
});

it("stores a content once, with numbers as they were written", async () => {
  const { entity, read, bring, project } = await setUp();
  await bring({ val: "a" }, { val: "b" }, { val: "a", tags: ["again"] });
  expect(await read("latest")).toMatchObject({ version_index: 1, val: "b" });
  expect(await read("v0", { include_tags_and_aliases: true })).toMatchObject({ tags: ["again"] });
  const line = `{"project_id":"${project}","object_id":"numbers","val":{"x":1.0,"y":12345678901234567890}}`;
  const numbers = { id: "numbers", kind: "objects" } as const;
  await server.control.imports.begin(numbers);
  await server.control.imports.add({ ...numbers, from: 0, lines: [line] });
  await server.control.imports.finish({ id: "numbers" });
  const body = JSON.stringify({ project_id: project, object_id: "numbers", digest: "latest" });
  const answer = await send(server.connect("auxiliary", entity), "/obj/read", { body });
  expect(await answer.text()).toContain('"val":{"x":1.0,"y":12345678901234567890}');
});

it("distinguishes a deleted version from a missing one, and moves latest", async () => {
  const { read, bring, project, auxiliary } = await setUp();
  await bring({ val: 0 }, { val: 1 }, { val: 2, aliases: ["prod"] });
  const { digest } = await read("latest");
  await bring({ digest, deleted_at: "2026-11-04T07:40:00+01:00" });
  const gone = {
    status: 404,
    body: { reason: expect.stringContaining("deleted"), deleted_at: "2026-11-04T06:40:00Z" },
  };
  for (const name of ["v2", digest, "prod"]) await expect(read(name)).rejects.toMatchObject(gone);
  expect(await read("latest")).toMatchObject({ version_index: 1, is_latest: 1 });
  await bring({ val: 3 });
  expect(await read("latest")).toMatchObject({ version_index: 3 });
  for (const name of ["v9", "nothing", "v"]) {
    await expect(read(name)).rejects.toMatchObject({ status: 404, body: { reason: `Obj prompt:${name} not found` } });
  }
  await bring(...[0, 1, 3].map((val) => ({ val, deleted_at: "2026-11-04T06:40:00Z" })));
  await expect(read("latest")).rejects.toMatchObject(gone);
  await expect(
    auxiliary.objects.read({ project_id: project, object_id: "other", digest: "latest" }),
  ).rejects.toMatchObject({
    body: { reason: "Obj other:latest not found" },
  });
});

it("returns no objects of another entity", async () => {
  const { bring, project } = await setUp();
  await bring({ val: 0 });
  const { auxiliary } = server.clients(server.fresh());
  await expect(
    auxiliary.objects.read({ project_id: project, object_id: "prompt", digest: "latest" }),
  ).rejects.toMatchObject({ status: 404 });
});

it("lists hardware in the order of import, and an empty list for an unknown model", async () => {
  const { auxiliary } = await setUp();
  const pricing = { cents_per_million_input_tokens: 12.5, cents_per_million_output_tokens: 50 };
  const option = (id: string, name = id) => ({ id, name, type: "gpu", pricing, specs: { gpus: 1 } });
  await server.import("hardware", [
    { model: "tiny", ...option("b") },
    { model: "tiny", ...option("a") },
    { model: "other", ...option("c") },
  ]);
  await server.import("hardware", [{ model: "tiny", ...option("b", "renamed") }]);
  expect((await auxiliary.hardware.list({ model: "tiny" })).hardware).toEqual([option("b", "renamed"), option("a")]);
  expect(await auxiliary.hardware.list({ model: "demo/tiny" })).toEqual({ hardware: [] });
});
