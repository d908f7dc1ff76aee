import { describe, expect, it } from "vitest";
import { type Answering, demo, rejection } from "../test/answering.ts";
import type { Checkpoint } from "../test/demo-client.ts";
import { engineOf } from "../test/engine-of.ts";
import { DecodeError, NotFoundError } from "./errors/index.ts";

const item = (step: number): Checkpoint => ({ id: `c${step}`, step });
const page =
  (has_more: boolean, ...steps: number[]): Answering =>
  () =>
    Response.json({ data: steps.map(item), has_more });

async function all(list: AsyncIterable<Checkpoint>): Promise<number[]> {
  const steps: number[] = [];
  for await (const { step } of list) steps.push(step);
  return steps;
}

const cursors = (sent: { url: string }[]): (string | null)[] =>
  sent.map(({ url }) => new URL(url).searchParams.get("after"));

describe("paging", () => {
  it("yields all items of all pages, each page requested with the last id", async () => {
    const { client, sent } = demo([page(true, 1, 2), page(true, 3), page(false, 4)]);
    expect(await all(client.models.checkpoints.list("m1", { limit: 2 }))).toEqual([1, 2, 3, 4]);
    expect(cursors(sent)).toEqual([null, "c2", "c3"]);
    expect(sent.every(({ url }) => url.includes("limit=2"))).toBe(true);
  });

  it("is also a promise of the first page, and requests it once", async () => {
    const { client, sent } = demo([page(true, 1), page(false, 2)]);
    const list = client.models.checkpoints.list("m1");
    const first = await list;
    expect(first).toMatchObject({ data: [item(1)], hasMore: true });
    expect(await all(list)).toEqual([1, 2]);
    expect(sent).toHaveLength(2);
  });

  it("continues from any page, by page or by item", async () => {
    const { client } = demo([page(true, 1), page(true, 2), page(false, 3)]);
    const second = await (await client.models.checkpoints.list("m1")).nextPage();
    expect(second?.data).toEqual([item(2)]);
    expect(second && (await all(second))).toEqual([2, 3]);
  });

  it("starts at the caller's cursor", async () => {
    const { client, sent } = demo([page(true, 8), page(false, 9)]);
    expect(await all(client.models.checkpoints.list("m1", { after: "c7" }))).toEqual([8, 9]);
    expect(cursors(sent)).toEqual(["c7", "c8"]);
  });

  it("stops on an empty page, whatever its flag says", async () => {
    const { client, sent } = demo([page(true, 1), page(true)]);
    expect(await all(client.models.checkpoints.list("m1"))).toEqual([1]);
    expect(sent).toHaveLength(2);
  });

  it("takes an answer of which nothing is required, and which has nothing, for an empty page", async () => {
    const read = async (body: unknown, needs?: readonly string[]): Promise<unknown[]> => {
      const page = { cursor: "after", item: "id", more: "has_more" };
      const list = { method: "GET", path: "/", page, expects: ["data"], ...(needs && { needs }) } as const;
      const service = { name: "demo", contractVersion: "1", timeout: 60, operations: { list } };
      const fetch = () => Promise.resolve(Response.json(body));
      const items: unknown[] = [];
      for await (const one of engineOf(service, { baseUrl: "http://demo.test", fetch }).page("list", {}))
        items.push(one);
      return items;
    };
    expect(await read({})).toEqual([]);
    for (const body of [{ items: [1] }, null, [], [1], 5, { data: {} }])
      expect(await rejection(read(body))).toBeInstanceOf(DecodeError);
    expect(await rejection(read({}, ["data"]))).toBeInstanceOf(DecodeError);
  });

  it("stops on a cursor that repeats", async () => {
    const { client, sent } = demo([page(true, 1), page(true, 2), page(true, 1), page(true, 2)]);
    expect(await all(client.models.checkpoints.list("m1"))).toEqual([1, 2, 1]);
    expect(sent).toHaveLength(3);
    const same = demo([page(true, 1)]);
    const second = await (await same.client.models.checkpoints.list("m1")).nextPage();
    expect(await second?.nextPage()).toBeUndefined();
  });

  it("stops if the flag is missing or the items have no id", async () => {
    for (const body of [{ data: [item(1)] }, { data: [{}], has_more: true }, { data: [1], has_more: true }]) {
      const { client, sent } = demo([() => Response.json(body)]);
      await all(client.models.checkpoints.list("m1"));
      expect(sent).toHaveLength(1);
    }
  });

  it("requests no page before it is needed", async () => {
    const { client, sent } = demo([page(true, 1, 2), page(true, 3, 4)]);
    for await (const { step } of client.models.checkpoints.list("m1")) if (step === 2) break;
    expect(sent).toHaveLength(1);
  });

  it("throws the error of a page in the loop", async () => {
    const { client } = demo([page(true, 1), 404]);
    expect(await rejection(all(client.models.checkpoints.list("m1")))).toBeInstanceOf(NotFoundError);
  });

  it("fails if the response is not a page", async () => {
    const { client } = demo([() => Response.json({ id: "m1" })]);
    const error = await rejection(client.models.checkpoints.list("m1"));
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ operation: "models.checkpoints.list", attempts: 1 });
  });

  it("returns the page with its response", async () => {
    const { client } = demo([() => Response.json({ data: [], has_more: false }, { headers: { "x-request-id": "r" } })]);
    const { data, requestId } = await client.models.checkpoints.list("m1").withResponse();
    expect(data.data).toEqual([]);
    expect(requestId).toBe("r");
  });
});
