import { expect, it } from "vitest";
import { readLine, writeLine } from "./query-line.tsx";

it.each<[line: string, query: Record<string, string[] | string>]>([
  ['reward<0.2 finish=length task~"refund"', { reward: ["<0.2"], finish: ["length"], q: ["refund"] }],
  ["reward>=0.2 reward<=0.5 step=40..42", { reward: [">=0.2", "<=0.5"], step: ["40..42"] }],
  [
    "flag!=stale metadata.dataset=gsm8k metric.turns>4",
    {
      flag: ["!stale"],
      "metadata.dataset": ["gsm8k"],
      "metric.turns": [">4"],
    },
  ],
  ['metadata.note="two words"', { "metadata.note": ["two words"] }],
  ['refund "two words" -not', { text: 'refund "two words" -not' }],
  ["", {}],
])("reads %s, and writes it again", (line, query) => {
  const found = readLine(line);
  expect(found).toEqual(query);
  const written = Object.fromEntries(Object.entries(query).map(([name, values]) => [name, [values].flat()]));
  expect(readLine(writeLine(written))).toEqual(query);
});

it("names a text in quotation marks that it cannot read", () => {
  expect(() => readLine(String.raw`turns=1 finish="\q"`)).toThrow(
    /^finish="\\q": the text in quotation marks cannot be read/,
  );
});

it.each(["rewrd<0.2", "reward<high", "finish~length", "<0.2"])("names what it cannot read: %s", (line) => {
  expect(() => readLine(`turns=1 ${line}`)).toThrow(/^\S*[<~]\S*.* These work: reward<0\.2 finish=length$/);
});
