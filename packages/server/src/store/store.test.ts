import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { anyString } from "@trainyard/testing";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore, type Store } from "./store.ts";

function open(data = "memory"): Store {
  const store = openStore({ data, now: Date.now });
  onTestFinished(() => store.close());
  return store;
}

function openFolder(): Store {
  const data = mkdtempSync(join(tmpdir(), "trainyard-store-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return open(data);
}

async function createModel(store: Store): Promise<string> {
  const model = await store.call("models.create", {
    entity: "harbor",
    project: "support-desk",
    name: "agent-1",
    baseModel: "demo/tiny",
    returnExisting: true,
  });
  if (typeof model === "string") throw new Error(model);
  return model.id;
}

const log = (store: Store, modelId: string, body: Uint8Array<ArrayBuffer>, metrics = {}) =>
  store.call(
    "logs.add",
    { entity: "harbor", modelId, split: "val", body, groups: "[]", more: false, metrics, ignored: [] },
    [body.buffer],
  );

it.each([["memory", open] as const, ["a folder", openFolder] as const])(
  "returns bodies as they were sent, from %s",
  async (_, make) => {
    const store = make();
    const modelId = await createModel(store);
    const bodies = fc.oneof(
      fc.json(),
      // About the size from which they are compressed.
      fc
        .tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 30_000, max: 40_000 }))
        .map(([text, size]) => JSON.stringify(text.repeat(size / text.length))),
    );
    let after = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { maxLength: 4 }), async (texts) => {
        const bytes = texts.map((text) => new TextEncoder().encode(text));
        await Promise.all(bytes.map((body) => log(store, modelId, body)));
        const kept = await store.call("logs.list", { modelId, after, limit: 10 });
        after = kept.at(-1)?.seq ?? after;
        expect(kept.map(({ body }) => body)).toEqual(texts);
      }),
      { numRuns: 40 },
    );
  },
);

it("replaces metrics of the same name, whatever the name, and keeps the others", async () => {
  const store = open();
  const modelId = await createModel(store);
  const metrics = fc.dictionary(anyString(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  // A name may be any, such as `__proto__`, which an object takes for its own, or two that are the same up to a NUL.
  const all = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(metrics, async (some) => {
      await log(store, modelId, new TextEncoder().encode("{}"), some);
      for (const [name, value] of Object.entries(some)) all.set(name, value);
      const page = await store.call("checkpoints.list", { entity: "harbor", modelId, order: "desc", limit: 1 });
      if (typeof page === "string") throw new Error(page);
      // JSON has no word for the negative zero.
      expect(page.items[0]?.metrics).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(all))));
    }),
    { numRuns: 40, examples: [[{ a: 1, "a\u0000b": 2, "a\u0000c": 3, ["__proto__"]: 4 }], [{ "a\u0000b": 5 }]] },
  );
});

it("stores the valid requests among those that arrive together", async () => {
  const store = openFolder();
  const modelId = await createModel(store);
  const bytes = () => new TextEncoder().encode("{}");
  const missing = "00000000-0000-4000-8000-000000000000";
  const [first, foreign, broken, last] = await Promise.allSettled([
    log(store, modelId, bytes()),
    log(store, missing, bytes()),
    // What SQLite cannot take.
    store.call("logs.list", { modelId, after: 0, limit: Number.NaN }),
    log(store, modelId, bytes()),
  ]);
  expect(first).toMatchObject({ value: { answer: { step: 0 } } });
  expect(foreign).toMatchObject({ value: "not-found" });
  expect(broken.status).toBe("rejected");
  expect(last).toMatchObject({ value: { answer: { step: 0 } } });
  expect(await store.call("logs.list", { modelId, after: 0, limit: 10 })).toHaveLength(2);
});

it("lets a write in memory wait for at most one read", async () => {
  const store = open();
  const modelId = await createModel(store);
  const order: string[] = [];
  const reads = Array.from({ length: 5 }, () => store.read("store.ping", undefined).then(() => order.push("read")));
  const write = log(store, modelId, new TextEncoder().encode("{}")).then(() => order.push("write"));
  await Promise.all([...reads, write]);
  expect(order.indexOf("write")).toBeLessThanOrEqual(1);
});

it("is empty in memory, also right after another was closed, and rejects commands once it is closed", async () => {
  const first = open();
  const second = open();
  await createModel(first);
  const count = async (store: Store) => (await store.call("models.list", { entity: "harbor" })).length;
  await Promise.all([first.close(), first.close()]);
  await expect(first.call("store.ping", undefined)).rejects.toThrow("The store is closed.");
  await expect(first.read("store.ping", undefined)).rejects.toThrow("The store is closed.");
  const third = open();
  expect([await count(second), await count(third)]).toEqual([0, 0]);
  await createModel(third);
  expect([await count(second), await count(third)]).toEqual([0, 1]);
});

/** Crashes the thread that a store sends its next message to, before or after it gets the message. */
function crashNextThread({ after = false } = {}): void {
  const { postMessage } = Worker.prototype;
  const post = vi.spyOn(Worker.prototype, "postMessage").mockImplementationOnce(function (this: Worker, ...message) {
    if (after) Reflect.apply(postMessage, this, message);
    void this.terminate();
  });
  onTestFinished(() => post.mockRestore());
}

const crashed = /^The thread "(store|store reader)" has ended: it exited with code 1\./;

it("fails what is in flight when a thread crashes, and keeps the data of a folder", async () => {
  const store = openFolder();
  const modelId = await createModel(store);
  await log(store, modelId, new TextEncoder().encode("{}"));
  crashNextThread();
  const lost = [store.call("store.ping", undefined), store.call("store.facts", undefined)];
  for (const { reason } of (await Promise.allSettled(lost)) as PromiseRejectedResult[]) {
    expect(reason.message).toMatch(crashed);
  }
  expect(await store.call("logs.list", { modelId, after: 0, limit: 10 })).toHaveLength(1);
  expect(await store.read("models.list", { entity: "harbor" })).toHaveLength(1);
  crashNextThread();
  await expect(store.read("models.list", { entity: "harbor" })).rejects.toThrow(crashed);
  expect(await store.read("models.list", { entity: "harbor" })).toHaveLength(1);
  await store.close();
});

it("stores all or nothing of a transaction that a crash interrupts, and leaves no lock", async () => {
  const store = openFolder();
  const modelId = await createModel(store);
  const text = JSON.stringify("a word".repeat(20_000));
  crashNextThread({ after: true });
  const logs = Array.from({ length: 50 }, () => log(store, modelId, new TextEncoder().encode(text)));
  const confirmed = (await Promise.allSettled(logs)).filter(({ status }) => status === "fulfilled").length;
  const kept = (await store.call("logs.list", { modelId, after: 0, limit: 100 })).length;
  expect([0, 50]).toContain(kept);
  expect(kept).toBeGreaterThanOrEqual(confirmed);
  await log(store, modelId, new TextEncoder().encode(text));
});

it("answers nothing more when the thread of data in memory crashes, and says so", async () => {
  const store = open();
  await createModel(store);
  crashNextThread();
  const message = /^The thread "store" has ended: it exited with code 1\. Its data were in memory, and are lost\./;
  await expect(store.call("store.facts", undefined)).rejects.toThrow(message);
  await expect(store.read("models.list", { entity: "harbor" })).rejects.toThrow(message);
  await store.close();
  expect(await open().call("models.list", { entity: "harbor" })).toEqual([]);
});
