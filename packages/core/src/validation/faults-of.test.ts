import { describe, expect, it } from "vitest";
import { schemas } from "../../test/conversation.ts";
import { faultsOf, formatLoc, limitFaults, saysMore, type AjvErrorLike, type Fault } from "./index.ts";
import { judge } from "../../test/judge.ts";

const short = (faults: Fault[]) => faults.map(({ loc, type }) => `${formatLoc(loc)} ${type}`);
const ok = { role: "user", content: "Hello" };
const choice = { finish_reason: "stop", index: 0, message: { role: "assistant", content: null } };

describe("a conversation", () => {
  const faults = judge(schemas, "Conversation");
  const cases: [string, unknown, string[]][] = [
    ["a message", ok, []],
    ["parts", { role: "user", content: [{ type: "text", text: "a" }] }, []],
    ["a choice", choice, []],
    ["a choice with more properties, a role among them", { ...choice, role: "user", more: 1 }, []],
    ["a message with more properties", { ...ok, index: 0, more: 1 }, []],
    ["an unknown role", { ...ok, role: "usr" }, ["items[0].role union_tag_invalid"]],
    ["a role that is not a string", { ...ok, role: 5 }, ["items[0].role union_tag_invalid"]],
    ["a role that is null", { ...ok, role: null }, ["items[0].role union_tag_invalid"]],
    ["no role", { content: "Hello" }, ["items[0].role missing"]],
    ["no object", 5, ["items[0] dict_type"]],
    ["a list", [ok], ["items[0] dict_type"]],
    ["null", null, ["items[0] dict_type"]],
    ["no content", { role: "user" }, ["items[0].content missing"]],
    ["content of a wrong type", { role: "user", content: 5 }, ["items[0].content string_type"]],
    ["content null", { role: "user", content: null }, ["items[0].content string_type"]],
    [
      "one bad part",
      { role: "user", content: [{ type: "text", text: "a" }, { type: "text" }] },
      ["items[0].content[1].text missing"],
    ],
    [
      "a part of unknown kind",
      { role: "user", content: [{ type: "x" }] },
      ["items[0].content[0].type union_tag_invalid"],
    ],
    ["a part that is not an object", { role: "user", content: ["a"] }, ["items[0].content[0] dict_type"]],
    ["nullable object, wrong", { role: "assistant", audio: { id: 1 } }, ["items[0].audio.id string_type"]],
    ["a nullable object, of another type", { role: "assistant", audio: "x" }, ["items[0].audio dict_type"]],
    ["nullable list, wrong", { role: "assistant", calls: [{}] }, ["items[0].calls[0].id missing"]],
    ["a choice with a wrong reason", { ...choice, finish_reason: "x" }, ["items[0].finish_reason enum"]],
    ["a choice with a reason of a wrong type", { ...choice, finish_reason: 1 }, ["items[0].finish_reason enum"]],
    ["a choice without index", { ...choice, index: undefined }, ["items[0].index missing"]],
    ["a choice with half an index", { ...choice, index: 0.5 }, ["items[0].index int_type"]],
    ["a choice without message", { finish_reason: "stop", index: 0 }, ["items[0].message missing"]],
    ["a choice with a message of another role", { ...choice, message: ok }, ["items[0].message.role literal_error"]],
  ];
  it.each(cases)("%s", (_, item, expected) => {
    expect(short(faults(JSON.parse(JSON.stringify({ items: [item] }))))).toEqual(expected);
  });

  it("reports every invalid item, and no other", () => {
    const items = [ok, { ...ok, role: "x" }, choice, { role: "user" }, { ...choice, index: "0" }];
    expect(short(faults({ items }))).toEqual([
      "items[1].role union_tag_invalid",
      "items[3].content missing",
      "items[4].index int_type",
    ]);
  });
});

describe("settings", () => {
  const faults = judge(schemas, "Settings");
  const cases: [object, string[]][] = [
    [{ "x-rate": 0.5, title: "abc", size: "auto", metrics: { a: 1, b: true }, order: "asc" }, []],
    [{ size: 3, rates: [0.1], at: "2026-01-31T09:30:00", link: "artifact:///a/b", tools: null }, []],
    [{ "x-rate": 2 }, ["x-rate less_than_equal"]],
    [{ "x-rate": -1 }, ["x-rate greater_than_equal"]],
    [{ title: "" }, ["title too_short"]],
    [{ title: "abcd" }, ["title too_long"]],
    [{ size: 1.5 }, ["size int_type"]],
    [{ size: 0 }, ["size greater_than_equal"]],
    [{ size: "big" }, ["size literal_error"]],
    [{ size: [] }, ["size int_type"]],
    [{ rates: ["a"] }, ["rates[0] float_type"]],
    [{ rates: "a" }, ["rates float_type"]],
    [{ metrics: { "a.b": "x" } }, ['metrics["a.b"] float_type']],
    [{ order: "up" }, ["order enum"]],
    [{ order: 1 }, ["order enum"]],
    [{ mode: "some" }, ["mode enum"]],
    [{ mode: { type: "text" } }, ["mode.text missing"]],
    [{ mode: 1 }, ["mode string_type"]],
    [{ steps: [] }, ["steps too_short"]],
    [{ steps: [1, 2, 3] }, ["steps too_long"]],
    [{ steps: [1, 1] }, ["steps value_error"]],
    [{ id: "1" }, ["id uuid_parsing"]],
    [{ at: "yesterday" }, ["at datetime_parsing"]],
    [{ at: 5 }, ["at string_type"]],
    [{ link: "nowhere" }, ["link value_error"]],
    [{ name: "A" }, ["name value_error"]],
    [{ either: { id: 1 } }, ["either value_error"]],
    [{ below: 1 }, ["below value_error"]],
    [{ flag: 0 }, ["flag bool_type"]],
    [{ tools: [{}] }, ["tools[0].id missing"]],
    [{ extra: 1, other: 2 }, ["extra extra_forbidden", "other extra_forbidden"]],
    [{ steps: [1], size: 1 }, [" value_error"]],
  ];
  it.each(cases)("%j", (value, expected) => {
    expect(short(faults(value))).toEqual(expected);
  });
});

it("describes faults in sentences, without the value", () => {
  const secret = "hunter2";
  const faults = judge(schemas, "Settings")({ order: secret, id: secret, size: [secret], extra: secret });
  expect(faults.map(({ msg }) => msg)).toEqual([
    '"extra" is not a property of this object.',
    "This must be a whole number, a string or null.",
    'This must be "asc" or "desc".',
    "This must be a UUID.",
  ]);
});

it("says how to fix a null", () => {
  const messages = (items: unknown[]) => judge(schemas, "Conversation")({ items }).map(({ msg }) => msg);
  expect(messages([{ role: "user", content: null }, null])).toEqual([
    "This must be a string or a list. It is null: if the field is optional, leave it out.",
    "This must be an object.",
  ]);
});

it("combines the errors of a union that was not prepared", () => {
  const anyOf = { keyword: "anyOf", instancePath: "/a", schemaPath: "", params: {} };
  expect(faultsOf([typeError("/a", "string"), typeError("/a", "array"), anyOf], { a: 5 })).toEqual([
    { loc: ["a"], msg: "This must be a string or a list.", type: "string_type" },
  ]);
  const inner = faultsOf([typeError("/a", "string"), typeError("/a/0", "string"), anyOf], { a: [5] });
  expect(short(inner)).toEqual(["a[0] string_type"]);
});

describe("many faults", () => {
  const faults = judge(schemas, "Conversation");
  const items = (length: number) => Array.from({ length }, () => ({ role: "x" }));

  it("are all listed up to a hundred", () => {
    expect(faults({ items: items(100) }).map(({ loc }) => loc[1])).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it.each([101, 999, 1000, 5000])("end with a note if there are more: %i", (length) => {
    const found = faults({ items: items(length) });
    expect(found).toHaveLength(101);
    expect(found.slice(0, 100)).toEqual(faults({ items: items(100) }));
    expect(found[100]).toEqual({
      loc: [],
      msg: "There are more faults than are listed here.",
      type: "value_error",
    });
  });

  it("are limited in length, however long the names in the value are", () => {
    const settings = judge(schemas, "Settings");
    const metrics = (count: number, length: number) => ({
      metrics: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padStart(length, "n"), "x"])),
    });
    expect(settings(metrics(100, 100)).map(saysMore)).not.toContain(true);
    const found = settings(metrics(50, 10_000));
    expect(JSON.stringify(found).length).toBeLessThan(70_000);
    expect(found.map(saysMore).indexOf(true)).toBe(found.length - 1);
    // One fault is always reported.
    expect(settings(metrics(2, 100_000)).map(saysMore)).toEqual([false, true]);
  });

  it("from several parts of a request form one list", () => {
    const part = (source: string, count: number): Fault[] =>
      Array.from({ length: count }, (_, i) => ({ loc: [source, i], msg: "", type: "int_type" }));
    expect(limitFaults([...part("query", 60), ...part("body", 40)])).toHaveLength(100);
    const limited = limitFaults([...part("query", 60), ...part("body", 41)]);
    expect(limited.map(saysMore)).toEqual([...Array.from({ length: 100 }, () => false), true]);
    expect(limited[100]?.loc).toEqual(["body"]);
    expect(limitFaults([...part("query", 60), ...limited])).toEqual([
      ...part("query", 60),
      ...limited.slice(0, 40),
      limited[100],
    ]);
  });
});

function typeError(instancePath: string, type: string): AjvErrorLike {
  return { keyword: "type", instancePath, schemaPath: "", params: { type } };
}
