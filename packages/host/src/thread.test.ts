import { expect, it, onTestFinished } from "vitest";
import { moduleAt, Thread, type ThreadOptions } from "./thread.ts";

const module = moduleAt("../test/answers-thread", import.meta.url);

function start(options: Partial<ThreadOptions<unknown>> = {}): Thread<unknown, unknown> {
  const thread = new Thread<unknown, unknown>({ name: "answers", module, data: { a: 1 }, ...options });
  onTestFinished(() => thread.close());
  return thread;
}

async function startStream(thread: Thread<unknown, unknown>, question: string, signal?: AbortSignal) {
  return (await thread.ask(question, { signal })) as AsyncGenerator<number>;
}

const crashes: [string, RegExp][] = [
  ["exit", /^The thread "answers" has ended: it exited with code 3\.$/],
  ["throw", /^The thread "answers" has ended: Nobody catches this\.$/],
];

it.each(crashes)(
  "rejects questions in flight if the thread crashes (%s), and starts it again",
  async (crash, message) => {
    const thread = start();
    const stream = await startStream(thread, "count");
    const [waiting, crashed] = await Promise.allSettled([thread.ask("never"), thread.ask(crash)]);
    for (const { reason } of [waiting, crashed] as PromiseRejectedResult[]) {
      expect(reason.message).toMatch(message);
    }
    expect(await thread.ask("data")).toEqual({ a: 1 });
    await expect(stream.next()).rejects.toThrow('The thread "answers" has ended: it crashed during this answer.');
  },
);

it("does not start a thread again that has lost what it confirmed", async () => {
  const thread = start({ loses: "It knew everything." });
  const message = 'The thread "answers" has ended: it exited with code 3. It knew everything.';
  await expect(thread.ask("exit")).rejects.toThrow(message);
  expect(thread.isOpen).toBe(false);
  await expect(thread.ask("data")).rejects.toThrow(message);
});

it("rejects with what an answer throws, or with why it cannot be sent, and goes on", async () => {
  const thread = start();
  const refused = await thread.ask("refuse").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RangeError);
  expect(refused).toMatchObject({ message: "This is refused.", stack: expect.stringContaining("answers-thread.ts") });
  await expect(thread.ask("function")).rejects.toThrow("could not be cloned");
  await expect(thread.ask(() => undefined)).rejects.toThrow("could not be cloned");
  expect(await thread.ask("data")).toEqual({ a: 1 });
});

it("moves buffers there and back", async () => {
  const thread = start();
  const bytes = Uint8Array.of(1, 2, 3);
  const answer = thread.ask(bytes, { transfer: [bytes.buffer] });
  expect(await answer).toEqual(Uint8Array.of(1, 2, 3));
  expect(bytes.byteLength).toBe(0);
});

it("streams an answer as far as it is read", async () => {
  const thread = start();
  const parts: number[] = [];
  for await (const part of await startStream(thread, "few")) parts.push(part);
  expect(parts).toEqual([1, 2, 3]);
  for await (const part of await startStream(thread, "count")) if (part === 6) break;
  expect(await thread.ask("seen")).toEqual({ read: 6, ended: 1 });
});

it("withdraws a question, or the rest of a stream, if its signal aborts", async () => {
  const thread = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const never = thread.ask("never", { signal: first.signal });
  first.abort(new Error("No longer needed."));
  await expect(never).rejects.toThrow("No longer needed.");
  await expect(thread.ask("data", { signal: first.signal })).rejects.toThrow("No longer needed.");
  const stream = await startStream(thread, "count", second.signal);
  await stream.next();
  second.abort(new Error("Enough."));
  await expect(stream.next()).rejects.toThrow("Enough.");
  expect(await thread.ask("seen")).toEqual({ read: 1, ended: 1 });
});

it("rejects questions once it is closed", async () => {
  const thread = start();
  const pending = thread.ask("never").catch(String);
  await thread.close();
  expect(await pending).toContain('The thread "answers" has ended: it was closed.');
  await expect(thread.ask("data")).rejects.toThrow("it was closed");
});

it(
  "replaces a thread that gives no sign of life, however often, and says so while it lasts",
  { tags: ["long"] },
  async () => {
    const ends: string[] = [];
    const seconds = (question: unknown) => (question === "never" ? 10 : 2);
    const watch = (question: unknown) => ({ operation: `ask.${String(question)}`, seconds: seconds(question) });
    const thread = start({ watch, crashed: ({ message }) => ends.push(message) });
    // It lives, however long an answer takes.
    const controller = new AbortController();
    const slow = thread.ask("never", { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    controller.abort(new Error("Enough."));
    await expect(slow).rejects.toThrow("Enough.");
    expect(ends).toEqual([]);
    // As often as a thread may not crash.
    for (let time = 1; time <= 5; time++) {
      const hanging = Promise.allSettled([thread.ask("hang"), thread.ask("data")]);
      await expect
        .poll(() => faultOf(() => thread.check()))
        .toMatch(/^The thread "answers" has given no sign of life for/);
      const message = 'The thread "answers" has ended: it gave no sign of life for 2 s during ask.hang, ask.data.';
      for (const { reason } of (await hanging) as PromiseRejectedResult[]) expect(reason.message).toBe(message);
      expect(ends).toEqual(Array.from({ length: time }, () => message));
      expect(await thread.ask("data")).toEqual({ a: 1 });
      thread.check();
    }
  },
);

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
