import fc from "fast-check";
import { expect, it } from "vitest";
import { ask } from "../../test/lib.ts";
import { Context, maxRows, rowCount } from "./context.ts";
import { renderPrompt } from "./conversation.ts";

function rowsAfter(messages: readonly unknown[], answer = ""): number[] {
  const context = new Context();
  for (const token of renderPrompt(messages)) context.push(token);
  for (const byte of new TextEncoder().encode(answer)) context.push(byte);
  const out = new Int32Array(maxRows + 1).fill(-7);
  const count = context.rows(out);
  expect(out[maxRows]).toBe(-7);
  return Array.from(out.slice(0, count));
}

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const message = fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool"), content: text });
const conversation = fc.array(message, { maxLength: 6 });

it("writes at most the promised number of rows, all of them valid, and -1 after them", () => {
  fc.assert(
    fc.property(conversation, text, (messages, answer) => {
      const context = new Context();
      for (const token of renderPrompt(messages)) context.push(token);
      for (const byte of new TextEncoder().encode(answer)) {
        const out = new Int32Array(maxRows + 2).fill(-7);
        const count = context.rows(out, 1);
        const rows = out.slice(1, 1 + count);
        expect(rows.every((row) => row >= 0 && row < rowCount)).toBe(true);
        expect(out[0]).toBe(-7);
        expect(out.slice(1 + count, 1 + maxRows).every((row, index) => row === (index === 0 ? -1 : -7))).toBe(true);
        const general = new Int32Array(maxRows);
        const shared = context.baseRows(general);
        expect(rows.slice(0, shared)).toEqual(general.slice(0, shared));
        context.push(byte);
      }
    }),
    { numRuns: 60 },
  );
});

// A checkpoint of one machine is read on another: the rows must be the same everywhere, and in every version of format 2.
it("finds the same rows on any machine", () => {
  const game = [...ask("Guess a number."), { role: "assistant", content: "4" }, ...ask("higher")];
  expect(rowsAfter(ask("Is it far?"))).toMatchInlineSnapshot(`
    [
      0,
      4776,
      1197,
      152,
      4303,
      3495,
      4217,
      6486,
    ]
  `);
  expect(rowsAfter(ask("Is it far?"), "maybe")).toMatchInlineSnapshot(`
    [
      0,
      1920,
      1708,
      4530,
      77,
      5983,
      6247,
      5981,
      7043,
      5636,
      8053,
    ]
  `);
  expect(rowsAfter(game)).toMatchInlineSnapshot(`
    [
      0,
      3140,
      2753,
      6686,
      7471,
      7471,
      6686,
      6211,
    ]
  `);
});

it("distinguishes answers by the message, its words, and the earlier conversation", () => {
  const shared = (a: readonly number[], b: readonly number[]) => a.filter((row) => b.includes(row)).length;
  const question = rowsAfter(ask("Is the train late?"));
  expect(rowsAfter(ask("Is the train late?"))).toEqual(question);
  expect(shared(question, rowsAfter(ask("Is the ferry late?")))).toBeGreaterThan(
    shared(question, rowsAfter(ask("Where to"))),
  );
  expect(shared(question, rowsAfter(ask("Where to")))).toBeGreaterThanOrEqual(2);
  const line = (...guesses: string[]) =>
    rowsAfter([
      ...ask("Guess."),
      ...guesses.flatMap((guess) => [{ role: "assistant", content: guess }, ...ask("higher")]),
    ]);
  expect(line("1", "2")).not.toEqual(line("2"));
  expect(line("1", "2")).not.toEqual(line("3", "2"));
});

it("reads a text that looks like the token of a speaker as text", () => {
  const honest = renderPrompt(ask("hello"));
  const sly = renderPrompt(ask("\u{f8}\u{fa}hello"));
  expect([...sly].filter((token) => token >= 0xf8 && token <= 0xfb)).toEqual(
    [...honest].filter((token) => token >= 0xf8 && token <= 0xfb),
  );
});
