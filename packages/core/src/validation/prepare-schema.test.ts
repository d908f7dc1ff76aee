import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemas } from "../../test/conversation.ts";
import { conversations } from "../../test/conversations.ts";
import { formats, prepareSchema } from "./index.ts";
import { judge, verdict } from "../../test/judge.ts";

describe("a prepared schema judges as the written one does", () => {
  it.each(Object.keys(schemas))("%s", (name) => {
    const written = verdict(schemas, name);
    const faults = judge(schemas, name);
    fc.assert(
      fc.property(conversations, (candidate) => {
        // The exception that prepareSchema states.
        fc.pre(
          !JSON.stringify(candidate).match(/finish_reason.*index.*message.*role|role.*finish_reason.*index.*message/),
        );
        expect(faults(candidate).length === 0).toBe(written(candidate));
      }),
      { numRuns: 300 },
    );
  });
});

const isDateTime = (text: string) => formats["date-time"].test(text);

it("leaves the document as it was, and the names of properties alone", () => {
  const before = JSON.stringify(schemas);
  const prepared = JSON.stringify(prepareSchema({ components: { schemas } }));
  expect(JSON.stringify(schemas)).toBe(before);
  expect(prepared).toContain('"x-rate":');
  expect(prepared).toContain('"title":{"type":"string"');
  expect(prepared).not.toMatch(/x-basis|"description"|"examples"|mapping/);
});

it("knows the dates that exist, with or without an offset", () => {
  for (const good of [
    "2024-02-29T23:59:59.123Z",
    "2000-02-29T00:00:00",
    "2026-11-20T09:30:00+05:30",
    "2026-01-31t00:00Z",
  ]) {
    expect([good, isDateTime(good)]).toEqual([good, true]);
  }
  for (const bad of ["2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z"]) {
    expect([bad, isDateTime(bad)]).toEqual([bad, false]);
  }
  for (const bad of ["2026-01-31", "2026-01-31T24:00:00Z", "2026-01-31T00:00:00+24:00", "2026-01-31T00:00:00Zx", ""]) {
    expect([bad, isDateTime(bad)]).toEqual([bad, false]);
  }
});
