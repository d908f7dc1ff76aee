import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDocument } from "@trainyard/document";
import { host } from "./host.ts";
import { matcherOf } from "./patterns.ts";

/** Patterns as documents have them, which RE2 judges. */
const usual = [
  String.raw`^(\w+\s?)*$`,
  String.raw`^[a-z0-9]+(-[a-z0-9]+)*$`,
  String.raw`^[^@\s]+@[^@\s]+\.[a-z]{2,}$`,
  String.raw`a.b+|\S+\s\S*`,
  String.raw`^[\s\S]*x?$`,
  String.raw`^[^\S\n]+a?$`,
  String.raw`(a|b)*?c\.\d+`,
  String.raw`^(?<year>\d{4}|\d\d)-?\u00e9?$`,
  String.raw`\p{Lu}+\P{L}*$`,
  String.raw`^.+\/[\]\-.]*$`,
];
const text = fc.string({
  unit: fc.constantFrom(..."aabcxAZ01-@._/] \n\r\t\v\u00a0\u2028\u3000\ufeffé😀".split("")),
  maxLength: 14,
});

describe.each(usual)("%s", (pattern) => {
  it("matches what it matches in JavaScript, in linear time", () => {
    const [matcher, native] = [matcherOf(pattern, "u"), new RegExp(pattern, "u")];
    expect(matcher).not.toBeInstanceOf(RegExp);
    expect(matcher.constructor.name).toBe("RE2JS");
    fc.assert(fc.property(text, (one) => matcher.test(one) === native.test(one)));
  });
});

it.each([String.raw`^\d{4}-\d{2}$`, "^[a-z_]{1,64}$", "^(?:ab)*$", "a|b"])("leaves %s to JavaScript", (pattern) => {
  expect(matcherOf(pattern, "u")).toBeInstanceOf(RegExp);
});

it.each([
  String.raw`^(\w+\s?)*$`,
  "^(a+)+$",
  "(a|aa)+$",
  "(.*a){20}$",
  "^(a|a)*$",
  String.raw`^(?=.*a)(\w+\s?)*$`,
  String.raw`^(a)(?:\w+\1?)*$`,
])("ends with %s and texts that other engines divide in all ways", (pattern) => {
  const matcher = matcherOf(pattern, "u");
  // JavaScript's engine would need longer than the sun has.
  for (const length of [34, 2000]) expect(matcher.test(`${"a".repeat(length)}!`)).toBe(false);
  expect(matcher.test("a".repeat(20))).toBe(true);
});

it("throws where a pattern is invalid, and differs by pattern", () => {
  expect(() => matcherOf("(a", "u")).toThrow(SyntaxError);
  const all = ["^a+$", "^a+b+$", "^a+c+$", "^(?=a+)b+$", "^(?=a+)c+$"];
  expect(new Set(all.map((one) => String(matcherOf(one, "u")))).size).toBe(all.length);
});

it("judges bodies and parameters by hostile patterns of a foreign document, and lets them stop nothing", async () => {
  const schema = { type: "string", pattern: String.raw`^(\w+\s?)*$` };
  const word = { name: "word", in: "query", schema };
  const post = {
    operationId: "say",
    parameters: [word],
    requestBody: { content: { "application/json": { schema: { type: "object", properties: { word: schema } } } } },
    responses: { "204": { description: "Said." } },
  };
  const document = { openapi: "3.1.0", info: { title: "Words", version: "1" }, paths: { "/words": { post } } };
  const { fetch } = host({ name: "words", document: readDocument(document), keys: "none" });
  const say = async (query: string, said: string) => {
    const url = `http://host.invalid/words?word=${encodeURIComponent(query)}`;
    const headers = { "content-type": "application/json" };
    return (await fetch(new Request(url, { method: "POST", headers, body: JSON.stringify({ word: said }) }))).status;
  };
  const hostile = `${"a".repeat(34)}!`;
  expect([await say("a word", "a word"), await say(hostile, "a"), await say("a", hostile)]).toEqual([204, 422, 422]);
});
