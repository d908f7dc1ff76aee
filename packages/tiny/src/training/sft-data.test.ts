import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readSftData } from "./sft-data.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-tiny-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;

function read(text: string, turns: "all" | "last" = "all") {
  const file = join(folder, "data.jsonl");
  writeFileSync(file, text);
  return readSftData(file, turns, signal);
}

const line = (...contents: string[]) =>
  JSON.stringify({
    messages: contents.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })),
    tools: [],
  });

it("reads one conversation per line, and learns all or the last of its answers", async () => {
  const text = `${line("a", "b", "c", "d")}\r\n\n${line("e", "f")}`;
  expect((await read(text)).map(({ answers }) => answers.length)).toEqual([2, 1]);
  const last = await read(text, "last");
  expect(last.map(({ answers }) => answers.length)).toEqual([1, 1]);
  const [{ tokens, answers } = { tokens: new Uint16Array(), answers: [] }] = last;
  // The last answer with its end, after all that came before it.
  expect(Array.from(tokens.slice(answers[0]?.start, answers[0]?.end))).toEqual([100, 256]);
});

it("reads a file of several parts, whose characters and lines they divide", async () => {
  const long = line("a".repeat(999), "\u2028é".repeat(400));
  const given = await read(`${long}\n`.repeat(1500));
  expect(given.length).toBe(1500);
  expect(new Set(given.map(({ tokens }) => tokens.join())).size).toBe(1);
});

it("reports invalid lines by their numbers", async () => {
  const bad = [
    line("a", "b"),
    "{",
    "[]",
    '{"messages":[]}',
    line("a"),
    '{"messages":[{"role":"clown","content":""}]}',
    "7",
    "8",
  ];
  await expect(read(bad.join("\n"))).rejects.toThrow(
    /Line 2 is not valid JSON\. Line 3 has no list of messages\. Line 4 has no assistant message\. Line 5 has no assistant message\. Line 6 cannot be read: .*role.* 2 more lines are invalid\./,
  );
  await expect(read("\n")).rejects.toThrow(/is empty/);
});
