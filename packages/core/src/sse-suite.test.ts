import { describe, expect, it } from "vitest";
import { eventParser, type ServerEvent } from "./sse.ts";

// What three public suites check of a stream, in words and texts of our own, with what the standard says for each: the tests of
// the web platform (`eventsource`), LaunchDarkly's `sse-contract-tests`, and the examples of the HTML standard. `id` and `retry`
// are left out, because a stream is not resumed.

/** What the standard gives for a stream: data alone, or data with a type. */
type Expected = readonly (string | readonly [type: string, data: string])[];
type Case = readonly [name: string, chunks: readonly string[], expected: Expected];

const bom = "\uFEFF";

const platform: readonly Case[] = [
  [
    "one byte order mark is dropped, a later one is part of a name",
    [`${bom}data:a\n\n${bom}data:b\n\ndata:c\n\n`],
    ["a", "c"],
  ],
  ["of two byte order marks, one is dropped", [`${bom}${bom}data:a\n\ndata:b\n\n`], ["b"]],
  ["comments of any length", [`data:a\r:\0\n:\r\ndata:b\n:${"x".repeat(4096)}\rdata:c\n:data:no\r\n\n`], ["a\nb\nc"]],
  ["an event is not complete before its blank line", ["retry:1000\ndata:a\n\ndata:b"], ["a"]],
  ["data without a value", ["data:\n\ndata\ndata\n\ndata:a\n\n"], ["", "\n", "a"]],
  ["data of several events", ["data:a\ndata: a\n\n:\ndata\n\ndata:end\n\n"], ["a\na", "", "end"]],
  ["a type is for one event", ["event:t\ndata:a\n\ndata:b\n\n"], [["t", "a"], "b"]],
  ["an empty type is no type", ["event: \ndata:a\n\n"], ["a"]],
  [
    "names that only look like data",
    [
      "data:\0\ndata:  a\rData:no\ndata\0:no\ndata:b\r\0data:no\nda-ta:no\rdata_1\ndata:c\rdata:\r\n data:no\ndata:d\n\n",
    ],
    ["\0\n a\nb\nc\n\nd"],
  ],
  ["unknown names", ["data:a\n data\ndata\nother:x\nsome words\n:a comment\ndata:b\n\n"], ["a\n\nb"]],
  ["one space is dropped, a tab is not", ["data:\ta\rdata: \ndata:b\n\n"], ["\ta\n\nb"]],
  ["all line endings in one event", ["data:a\r\ndata\ndata:b\r\n\r"], ["a\n\nb"]],
  ["a null character", ["data:\0\n\n\n\n"], ["\0"]],
  ["text is always UTF-8", ["data:ok…\n\n"], ["ok…"]],
];

const standard: readonly Case[] = [
  ["an event of three lines", ["data: ACME\ndata: +1\ndata: 7\n\n"], ["ACME\n+1\n7"]],
  [
    "a comment, an id, no id, a leading space",
    [": test\n\ndata: one\nid: 1\n\ndata:two\nid\n\ndata:  three\n\n"],
    ["one", "two", " three"],
  ],
  ["an event without its blank line is dropped", ["data\n\ndata\ndata\n\ndata:"], ["", "\n"]],
  ["a space after the colon is optional", ["data:a\n\ndata: a\n\n"], ["a", "a"]],
];

const contract: readonly Case[] = [
  ["nothing", [], []],
  ["an event without data", ["event: ping\n\ndata: a\n\n"], ["a"]],
  ["one line in one chunk", ["data: ab\n\n"], ["ab"]],
  ["one line in two chunks", ["data: a", "b\n\n"], ["ab"]],
  ["two events in one chunk", ["data: a\n\ndata: b\n\n"], ["a", "b"]],
  ["two lines", ["data: a\ndata:b\n\n"], ["a\nb"]],
  ["empty data", ["data:\n\n"], [""]],
  ["a type", ["event: t\ndata: a\n\n"], [["t", "a"]]],
  ["no type", ["data: a\n\n"], ["a"]],
  ["the type after the data", ["data: a\nevent: t\n\n"], [["t", "a"]]],
  ["an unknown name beside a type", ["event: t\ncolor: red\ndata: a\n\n"], [["t", "a"]]],
  ["no spaces after colons", ["event:t\ndata:a\n\n"], [["t", "a"]]],
  ["two spaces after colons", ["event:  t\ndata:  a\n\n"], [[" t", " a"]]],
  ["names without a colon", ["data\n\ndata\ndata\n\n"], ["", "\n"]],
  ["a type that a name without a colon takes back", ["event: t\nevent\ndata: a\n\n"], ["a"]],
  ["characters of several bytes", ["data: €豆腐🚂\n\n"], ["€豆腐🚂"]],
  [
    "a hundred events at once",
    [Array.from({ length: 100 }, (_, n) => `data: ${n}\n\n`).join("")],
    Array.from({ length: 100 }, (_, n) => `${n}`),
  ],
  ["a comment before and after an event", [":a\n", "data: a\n\n", ":b\n"], ["a"]],
  ["a byte order mark before a type", [`${bom}event: t\ndata: a\n\n`], [["t", "a"]]],
  ["a byte order mark before a comment", [`${bom}:a\ndata: a\n\n`], ["a"]],
  ["byte order marks in data", [`${bom}data: ${bom}a\n\n`, `data: ${bom}b\n\n`], [`${bom}a`, `${bom}b`]],
  ["an event of 1 MiB", [`data: ${"x".repeat(1 << 20)}\n\n`], ["x".repeat(1 << 20)]],
  ["an event of more than 8 MiB", [`data: ${"x".repeat(9 << 20)}\n\n`], ["x".repeat(9 << 20)]],
  [
    "CR LF that is split between chunks",
    ["data: a\r", "\ndata: b\r", "\n\r\ndata: c\r", "\n", "\r", "\n"],
    ["a\nb", "c"],
  ],
];

const endings = Object.entries({ LF: "\n", "CR LF": "\r\n", CR: "\r" }).flatMap(([name, end]): Case[] => [
  [`${name}: one line`, [`data: a${end}${end}`], ["a"]],
  [`${name}: one line, then two`, [`data: a${end}${end}data: b${end}data: c${end}${end}`], ["a", "b\nc"]],
  [`${name}: an empty first line`, [`data:${end}data: a${end}data: b${end}${end}`], ["\na\nb"]],
  [`${name}: an empty line between others`, [`data: a${end}data:${end}data: b${end}${end}`], ["a\n\nb"]],
  [`${name}: one more blank line`, [`data: a${end}${end}${end}data: b${end}${end}`], ["a", "b"]],
  [`${name}: two more blank lines`, [`data: a${end}${end}${end}${end}data: b${end}${end}`], ["a", "b"]],
]);

/** Where we differ on purpose, with what we give. The guide of documents of your own says why. */
const deliberate = new Map<string, readonly ServerEvent[] | string>([
  ["an event is not complete before its blank line", events(["a", "b"])],
  ["an event without its blank line is dropped", events(["", "\n", ""])],
  ["an event of more than 8 MiB", "The stream has an event larger than 8 MiB."],
]);

function events(expected: Expected): ServerEvent[] {
  return expected.map((one) => (typeof one === "string" ? { type: "", data: one } : { type: one[0], data: one[1] }));
}

/** The events of a stream, or the message of its error. */
function read(chunks: Iterable<Uint8Array>): ServerEvent[] | string {
  const parser = eventParser();
  try {
    return [...[...chunks].flatMap((chunk) => parser.push(chunk)), ...parser.end()];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function* pieces(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const suites = { "the web platform": platform, "the HTML standard": standard, LaunchDarkly: [...contract, ...endings] };

describe.each(Object.entries(suites))("streams: the cases of %s", (_, cases) => {
  it.each(cases)("%s", (name, chunks, expected) => {
    const bytes = new TextEncoder().encode(chunks.join(""));
    const ours = deliberate.get(name) ?? events(expected);
    expect(read(chunks.map((chunk) => new TextEncoder().encode(chunk)))).toEqual(ours);
    // Bytes one by one and in pairs, where they are few.
    for (const size of bytes.length > 10_000 ? [] : [1, 2]) expect(read(pieces(bytes, size))).toEqual(ours);
    if (deliberate.has(name)) expect(ours).not.toEqual(events(expected));
  });
});
