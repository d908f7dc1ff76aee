import fc from "fast-check";
import { expect, it } from "vitest";
import { StopWatch } from "./stop-watch.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "é"), maxLength: 30 });

/** Where the answer ends by definition: before the first stop that is complete, the longest of those that end there. */
function plainCut(text: string, stops: readonly string[]): string {
  for (let length = 1; length <= text.length; length++) {
    const ending = stops.filter((stop) => stop !== "" && text.slice(0, length).endsWith(stop));
    if (ending.length > 0) return text.slice(0, length - Math.max(...ending.map((stop) => stop.length)));
  }
  return text;
}

it("cuts an answer where a search in the whole text would, and never withdraws a piece", () => {
  fc.assert(
    fc.property(
      letters,
      fc.array(
        letters.map((text) => text.slice(0, 4)),
        { maxLength: 4 },
      ),
      (text, stops) => {
        const watch = new StopWatch<number>(stops);
        const kept: number[] = [];
        let isOver = false;
        for (const byte of new TextEncoder().encode(text)) {
          const { sure, isStop } = watch.push(byte, byte);
          kept.push(...sure);
          isOver = isStop;
          if (isOver) break;
        }
        if (!isOver) kept.push(...watch.rest());
        expect(new TextDecoder().decode(Uint8Array.from(kept))).toBe(plainCut(text, stops));
      },
    ),
    { numRuns: 500 },
  );
});

it("holds back only what may start a stop sequence", () => {
  const watch = new StopWatch<string>(["end"]);
  const given = ["s", "e", "e", "e", "n"].map((letter) => watch.push(letter, letter.charCodeAt(0)).sure.join(""));
  expect(given).toEqual(["s", "", "e", "e", ""]);
  expect(watch.rest()).toEqual(["e", "n"]);
});
