import { type Json } from "@trainyard/document";
import { describe, expect, it } from "vitest";
import { compare } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { summary } from "./draft.ts";

// What a schema means does not depend on which of its keywords stand beside which: each of these schemas is rewritten in each
// way that changes nothing, and then used where it was. What is sent and what is read stay the same.

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const number = { type: "number" };
const of = (name: string, type: Json = text) => ({ type: "object", required: [name], properties: { [name]: type } });
const properties = { a: text, b: number };
const eitherName = [{ required: ["a"] }, { required: ["b"] }];
const maybe = { type: ["object", "null"], properties };

const schemas: Record<string, JsonObject> = {
  Loose: { type: "object", properties },
  Base: of("p"),
  Maybe: maybe,
  Kind: { enum: ["k1", "k2"] },
  MaybeText: { type: ["string", "null"] },
  EitherName: { type: "object", properties, anyOf: eitherName },
  EitherNameOfAny: { properties, oneOf: eitherName },
  MaybeEitherName: { ...maybe, anyOf: eitherName },
  ConstantsOfOneType: { type: "string", oneOf: [{ const: "u", title: "U" }, { const: "v" }] },
  ConstantsAndTheirName: { type: "string", anyOf: [ref("Kind"), { const: "z" }] },
  Formats: { type: "string", anyOf: [{ format: "uuid" }, { format: "date" }] },
  RefBesideUnion: { ...ref("Base"), anyOf: [of("x"), of("y", number)] },
  UnionBesideProperties: { ...of("p"), oneOf: [of("x"), of("y", number)] },
  UnionBesideMembers: { allOf: [ref("Base")], anyOf: [of("x"), of("y", number)] },
  BothUnions: { anyOf: [of("x"), of("y", number)], oneOf: [of("m"), of("n")] },
  RefAndRequired: { ...ref("Loose"), required: ["a"] },
  RefAndProperties: { ...ref("Base"), ...of("x") },
  RefAndConstant: { ...ref("Kind"), const: "k1" },
  RefAndType: { ...ref("Maybe"), type: "object" },
  MembersAndRequired: { allOf: [ref("Loose"), { required: ["a"] }], description: "Both." },
  MembersOfMaybe: { type: ["object", "null"], allOf: [ref("Maybe")] },
  RequiredOfMaybe: { allOf: [{ anyOf: [ref("Loose"), { type: "null" }] }, { required: ["a"] }] },
  MaybeLoose: { anyOf: [ref("Loose"), { type: "null" }] },
  MapBesideMembers: { type: "object", properties: { n: number }, additionalProperties: text, allOf: [ref("Base")] },
  NullInAVariant: { anyOf: [{ anyOf: [ref("Loose"), { type: "null" }] }, ref("Base")] },
  RefAndEnum: { ...ref("Kind"), enum: ["k2", "k3"] },
  Excluded: { type: "object", properties, not: { required: ["a", "b"] } },
  TwoPatterns: { allOf: [{ type: "string", pattern: "^a" }, { pattern: "b$" }] },
  Tree: { ...of("id"), allOf: [{ properties: { children: { type: "array", items: ref("Tree") } } }] },
};

const membersOf = ({ allOf }: JsonObject): JsonObject[] => (Array.isArray(allOf) ? (allOf as JsonObject[]) : []);
const targetOf = ({ $ref }: JsonObject) =>
  typeof $ref === "string" ? schemas[$ref.split("/").at(-1) ?? ""] : undefined;
const unionOf = (schema: JsonObject) => (["anyOf", "oneOf"] as const).find((key) => schema[key] !== undefined);
const isMore = (schema: JsonObject) => Object.keys(schema).length > 1;
/** A schema with some of its keys in a member of its `allOf`. */
const moved = (schema: JsonObject, ...keys: string[]): JsonObject => {
  const isMoved = ([key]: [string, Json]) => keys.includes(key);
  const [inside, outside] = [isMoved, (one: [string, Json]) => !isMoved(one)].map((which) =>
    Object.fromEntries(Object.entries(schema).filter(which)),
  );
  return { ...outside, allOf: [...membersOf(schema), inside ?? {}] };
};

/** Each returns undefined for what it does not apply to. */
const forms: Record<string, (schema: JsonObject) => JsonObject | undefined> = {
  "in an allOf": (schema) => ({ allOf: [schema] }),
  "in an allOf of an allOf": (schema) => ({ allOf: [{ allOf: [schema] }] }),
  "its reference in an allOf": (schema) => (schema["$ref"] && isMore(schema) ? moved(schema, "$ref") : undefined),
  "what stands beside its allOf in it": ({ allOf, ...rest }) =>
    allOf && isMore({ allOf, ...rest }) ? { allOf: [...membersOf({ allOf }), rest] } : undefined,
  "its allOf in another order": (schema) =>
    membersOf(schema).length > 1 ? { ...schema, allOf: membersOf(schema).toReversed() } : undefined,
  "its union in an allOf": (schema) => {
    const key = unionOf(schema);
    return key && isMore(schema) ? moved(schema, key) : undefined;
  },
  "all but its union in an allOf": (schema) => {
    const key = unionOf(schema);
    const others = Object.keys(schema).filter((one) => one !== key && one !== "allOf");
    return key && others.length > 0 ? moved(schema, ...others) : undefined;
  },
  "its required names in an allOf": (schema) => (schema["required"] ? moved(schema, "required") : undefined),
  "its properties in an allOf": (schema) =>
    schema["properties"] && !schema["additionalProperties"] ? moved(schema, "properties", "required") : undefined,
  "its excluded names in another order": ({ not, ...rest }) =>
    not ? { ...rest, not: { required: ["b", "a"] } } : undefined,
  "its values as constants": ({ enum: values, ...rest }) =>
    Array.isArray(values) ? { ...rest, oneOf: values.map((value) => ({ const: value })) } : undefined,
  "unions in its union as one": ({ anyOf, ...rest }) =>
    Array.isArray(anyOf)
      ? {
          ...rest,
          anyOf: (anyOf as JsonObject[]).flatMap((one) => (Array.isArray(one["anyOf"]) ? one["anyOf"] : [one])),
        }
      : undefined,
  "null in a union": ({ type, ...rest }) =>
    Array.isArray(type) && !unionOf(rest) && !rest["allOf"]
      ? { oneOf: [{ type: "null" }, { allOf: [{ ...rest, type: type.filter((one) => one !== "null") }] }] }
      : undefined,
  "the target of its reference": ({ $ref, ...rest }) =>
    $ref ? { allOf: [targetOf({ $ref }) ?? {}, rest] } : undefined,
  "the targets of its members": (schema) =>
    schema["allOf"] ? { ...schema, allOf: membersOf(schema).map((one) => targetOf(one) ?? one) } : undefined,
  "the targets in its union": (schema) => {
    const key = unionOf(schema);
    const variants = key && Array.isArray(schema[key]) ? (schema[key] as JsonObject[]) : [];
    return key ? { ...schema, [key]: variants.map((one) => targetOf(one) ?? one) } : undefined;
  },
};

function service(all: Record<string, JsonObject>, schema: JsonObject): Document {
  const content = { "application/json": { schema } };
  const post = { "x-client-method": "run", requestBody: { content }, responses: { "200": { content } } };
  const info = { title: "Small", version: "1.0.0" };
  return new Document("small", {
    openapi: "3.1.0",
    "x-trainyard": 1,
    info,
    paths: { "/run": { post } },
    components: { schemas: all },
  });
}

describe.each(Object.entries(schemas))("%s", (name, schema) => {
  const before = service(schemas, ref(name));
  const written = Object.entries(forms).flatMap(([form, write]) => {
    const rewritten = write(schema);
    return rewritten === undefined ? [] : [[form, rewritten] as const];
  });

  it.each(written)("is the same with %s", (_, rewritten) => {
    const all = { ...schemas, [name]: rewritten };
    for (const use of [ref(name), { ...ref(name), description: "A use." }])
      expect(summary(compare(before, service(all, use))).filter((line) => !line.startsWith("neutral"))).toEqual([]);
    expect(summary(compare(service(all, ref(name)), before)).filter((line) => !line.startsWith("neutral"))).toEqual([]);
  });

  it("is not the same with a value of another type", () => {
    const other = { allOf: [schema, { type: "boolean" }] };
    const changes = summary(compare(before, service({ ...schemas, [name]: other }, ref(name))));
    expect(changes.some((line) => line.startsWith("breaking"))).toBe(true);
  });
});

it("keeps the place of a change in a variant, whichever variant permits null", () => {
  const union = (kinds: string[], other: string[], type: string): Record<string, JsonObject> => ({
    Kinds: {
      anyOf: [
        { title: "One", type: kinds, properties: { a: { type } } },
        { title: "Two", type: other, properties: { b: { type: "string" } } },
      ],
    },
  });
  const [before, now] = [
    union(["object", "null"], ["object"], "string"),
    union(["object"], ["object", "null"], "number"),
  ];
  const changes = compare(service(before, ref("Kinds")), service(now, ref("Kinds")));
  const pointer = "/components/schemas/Kinds/anyOf/0/properties/a";
  const place = { place: "Kinds(One).a", base: pointer, revision: pointer };
  expect(changes.filter(({ kind }) => kind === "type-changed")).toMatchObject([place]);
});
