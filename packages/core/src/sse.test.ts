import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventParser, type ServerEvent } from "./sse.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(...pieces: Uint8Array[]): ServerEvent[] {
  const parser = eventParser();
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

const data = (...texts: string[]): ServerEvent[] => texts.map((text) => ({ data: text, type: "" }));

describe("streams: the parser", () => {
  it("returns an event as soon as it is complete, with a lone CR too", () => {
    const parser = eventParser();
    expect(parser.push(bytes("data: a\r"))).toEqual([]);
    expect(parser.push(bytes("\r"))).toEqual(data("a"));
    expect(parser.push(bytes("\ndata: b\n\n"))).toEqual(data("b"));
  });

  it("returns the same events for any split of the bytes", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
      fc.constantFrom("", ": comment", "event: x", "data", "id: 1"),
    );
    const text = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")).map((parts) => parts.join("")));
    fc.assert(
      fc.property(text, fc.array(fc.nat(400)), (lines, cuts) => {
        const whole = bytes(lines.join(""));
        const pieces: Uint8Array[] = [];
        let start = 0;
        for (const end of [...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]) {
          pieces.push(whole.subarray(start, end));
          start = end;
        }
        expect(read(...pieces)).toEqual(read(whole));
      }),
    );
  });

  it("agrees with a line-by-line parser", () => {
    const line = fc.constantFrom("data: a", "data:b", "data", "", "", "event: e", "event", ": c");
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r", "\r\n"), (lines, ending) => {
        const expected: ServerEvent[] = [];
        let now: string[] = [];
        let type = "";
        for (const each of [...lines, "", ""]) {
          if (each === "") {
            if (now.length) expected.push({ data: now.join("\n"), type });
            now = [];
            type = "";
          } else if (each.startsWith("data")) now.push(each.replace(/^data:? ?/, ""));
          else if (each.startsWith("event")) type = each.slice(7);
        }
        expect(read(bytes(lines.map((each) => each + ending).join("")))).toEqual(expected);
      }),
    );
  });

  it.each([
    ["one long line", "data: ", "x".repeat(1 << 20)],
    ["many lines", "", `data: ${"x".repeat(1 << 10)}\n`],
    ["a comment without end", ": ", "x".repeat(1 << 20)],
  ])("rejects an event of more than 8 MiB: %s", (_, start, more) => {
    const parser = eventParser();
    parser.push(bytes(start));
    const piece = bytes(more);
    expect(() => {
      for (let size = 0; size < 9 * 2 ** 20; size += piece.length) parser.push(piece);
    }).toThrow("8 MiB");
  });

  it("accepts any number of events, and keeps none", () => {
    const parser = eventParser();
    const piece = bytes(`data: ${"x".repeat(1 << 20)}\n\n`);
    let count = 0;
    for (let size = 0; size < 32; size++) count += parser.push(piece).length;
    expect(count).toBe(32);
  });
});
