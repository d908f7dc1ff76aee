import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemas } from "../../test/conversation.ts";
import { conversations } from "../../test/conversations.ts";
import { ajvOptions, formats, prepareSchema } from "./index.ts";
import { judge, verdict } from "../../test/judge.ts";

describe("a prepared schema accepts the same values as the original", () => {
  it.each(Object.keys(schemas))("%s", (name) => {
    const written = verdict(schemas, name);
    const faults = judge(schemas, name);
    fc.assert(
      fc.property(conversations, (candidate) => {
        // The exception that prepareSchema documents.
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

it("changes neither the document nor the names of properties", () => {
  const before = JSON.stringify(schemas);
  const prepared = JSON.stringify(prepareSchema({ components: { schemas } }));
  expect(JSON.stringify(schemas)).toBe(before);
  expect(prepared).toContain('"x-rate":');
  expect(prepared).toContain('"title":{"type":"string"');
  expect(prepared).not.toMatch(/x-basis|"description"|"examples"|mapping/);
});

it("accepts only existing dates, with or without an offset", () => {
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

describe("an open set", () => {
  const isOpen = (schema: object): boolean => "x-extensible" in schema;
  const event = (type: string, data: object) => ({
    type: "object",
    required: ["id", "type", "data"],
    properties: { id: { type: "string" }, type: { const: type }, data },
  });
  const events = {
    type: "object",
    "x-extensible": true,
    discriminator: { propertyName: "type", mapping: {} },
    oneOf: [event("started", { type: "integer" }), event("failed", { type: "string" })],
  };
  const status = { type: "string", enum: ["queued", "done"], "x-extensible": true };
  const schema = {
    type: "object",
    required: ["status", "events"],
    properties: { status, events: { type: "array", items: events } },
  };
  const closed = new Ajv2020(ajvOptions).compile(prepareSchema(schema));
  const open = new Ajv2020(ajvOptions).compile(prepareSchema(schema, isOpen));
  const anything = fc.oneof(fc.string(), fc.constantFrom("started", "failed", "queued", "done"), fc.integer());
  const values = fc.record(
    {
      status: anything,
      events: fc.array(fc.record({ id: anything, type: anything, data: anything }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  );

  it("accepts everything that the closed set accepts, and otherwise only unlisted members", () => {
    const listed = new Set<unknown>(["started", "failed"]);
    fc.assert(
      fc.property(values, (value) => {
        const [strictly, openly] = [closed, open].map((judge): boolean => judge(value));
        if (strictly) expect(openly).toBe(true);
        else if (openly) {
          const isKnown = ["queued", "done"].includes(String(value.status));
          expect(isKnown && value.events?.every(({ type }) => listed.has(type))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("requires of an unlisted member what all members have", () => {
    expect(open({ status: "paused", events: [{ id: "1", type: "rested" }] })).toBe(true);
    expect(open({ status: "paused", events: [{ type: "rested" }] })).toBe(false);
    expect(open({ status: "done", events: [{ id: "1", type: "started", data: "x" }] })).toBe(false);
    expect(closed({ status: "done", events: [{ id: "1", type: "rested", data: 1 }] })).toBe(false);
    expect(closed({ status: "paused", events: [] })).toBe(false);
  });
});

describe("a union", () => {
  const isValid = (schema: object, value: unknown): boolean =>
    new Ajv2020(ajvOptions).compile(prepareSchema(schema))(value);

  it("stays as it is in a document that asks what its branches evaluated", () => {
    const properties = { foo: { type: "string" } };
    const branches = [
      { properties: { bar: { type: "string" } }, required: ["bar"] },
      { properties: { baz: { type: "string" } }, required: ["baz"] },
    ];
    for (const keyword of ["anyOf", "oneOf"]) {
      const schema = { type: "object", properties, [keyword]: branches, unevaluatedProperties: false };
      expect(isValid(schema, { foo: "a", bar: "b" })).toBe(true);
      expect(isValid(schema, { foo: "a", bar: "b", q: "c" })).toBe(false);
    }
    const items = { prefixItems: [true], anyOf: [{ prefixItems: [true, true] }, true], unevaluatedItems: false };
    expect(isValid(items, [1, 2])).toBe(true);
    expect(isValid(items, [1, 2, 3])).toBe(false);
  });

  it("stays as it is in a document with a reference to one of its branches", () => {
    const branches = [{ type: "string" }, { type: "object", required: ["a"] }];
    const schema = { anyOf: branches, properties: { next: { $ref: "#/anyOf/1" } } };
    expect(
      [
        { a: 1, next: { a: 1 } },
        { a: 1, next: {} },
      ].map((value) => isValid(schema, value)),
    ).toEqual([true, false]);
  });

  it("by `oneOf` take a value that several branches permit only if the discriminator names one", () => {
    const open = { required: ["kind"], properties: { kind: { type: "string" } } };
    const $defs = { A: { ...open, properties: { ...open.properties, x: { type: "integer" } } }, B: open };
    const branches = [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }];
    const taken = (keyword: string, mapping: object | undefined, kind: string) =>
      isValid({ $defs, [keyword]: branches, discriminator: { propertyName: "kind", mapping } }, { kind, x: 1 });
    expect(["A", "B", "p"].map((kind) => taken("oneOf", undefined, kind))).toEqual([true, true, false]);
    const mapping = { p: "#/$defs/A", q: "B" };
    expect(["p", "q", "A"].map((kind) => taken("oneOf", mapping, kind))).toEqual([true, true, false]);
    expect(taken("anyOf", mapping, "A")).toBe(true);
    const inline = { oneOf: [open, { ...open, title: "B" }], discriminator: { propertyName: "kind" } };
    expect(isValid(inline, { kind: "A" })).toBe(false);
  });

  it("by `anyOf` may have a discriminator, or a tag that nobody declares", () => {
    const branch = (kind: string) => ({
      type: "object",
      properties: { kind: { const: kind }, x: { type: "integer" } },
      required: ["kind"],
    });
    const anyOf = [branch("a"), branch("b")];
    for (const discriminator of [{ discriminator: { propertyName: "kind" } }, {}]) {
      expect(isValid({ anyOf, ...discriminator }, { kind: "a", x: 1 })).toBe(true);
      expect(isValid({ anyOf, ...discriminator }, { kind: "c" })).toBe(false);
      expect(isValid({ anyOf, ...discriminator, oneOf: [{ required: ["x"] }] }, { kind: "b" })).toBe(false);
    }
  });
});
