import { expect, it } from "vitest";
import { lineParser } from "./lines.ts";

const text = '{"n":"é"}\r\n\n\u001e{"n":2}\n {"n":3} ';

it("splits lines of JSON, however the bytes arrive", () => {
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size <= bytes.length; size++) {
    const parser = lineParser();
    const events = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...parser.push(bytes.slice(at, at + size)));
    events.push(...parser.end());
    expect(events.map(({ data }) => data)).toEqual(['{"n":"é"}', '{"n":2}', '{"n":3}']);
  }
});
