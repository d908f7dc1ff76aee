import { expect, it } from "vitest";
import { commonTurns, readTurn, turnsOf } from "./content.ts";
import { exactly } from "./filters.tsx";

const user = { role: "user", content: "Which track?" };
const choice = (text: string) => ({ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } });

it.each([
  ["text", "hello", [{ kind: "text", text: "hello" }]],
  ["markup, as text", "<img src=x onerror=alert(1)>", [{ kind: "text", text: "<img src=x onerror=alert(1)>" }]],
  [
    "an image as data",
    [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
    [{ kind: "image", source: "data:image/png;base64,AAAA", what: "image, 3 bytes" }],
  ],
  [
    "an SVG image, which is markup",
    [{ type: "image_url", image_url: { url: "data:image/svg+xml;base64,AAAA" } }],
    [{ kind: "named", what: "image/svg+xml, 3 bytes" }],
  ],
  [
    "an image at an address, which is not fetched",
    [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }],
    [{ kind: "named", what: "image at https://example.com/a.png (not fetched)" }],
  ],
  [
    "a script in place of an image",
    [{ type: "image_url", image_url: { url: "javascript:alert(1)" } }],
    [{ kind: "named", what: "image at javascript:alert(1) (not fetched)" }],
  ],
  [
    "sound",
    [{ type: "input_audio", input_audio: { data: "AAAAAAAA", format: "wav" } }],
    [{ kind: "named", what: "audio, wav, 6 bytes" }],
  ],
  [
    "a file",
    [{ type: "file", file: { filename: "a.pdf", file_data: "AAAA" } }],
    [{ kind: "named", what: "file a.pdf, 3 bytes" }],
  ],
  [
    "an unknown part",
    [{ type: "hologram" }, 7, null],
    [
      { kind: "named", what: "hologram" },
      { kind: "named", what: "unknown content" },
      { kind: "named", what: "unknown content" },
    ],
  ],
])("reads %s", (_, content, parts) => {
  expect(readTurn({ role: "user", content }).parts).toEqual(parts);
});

it("reads calls and tokens, and data of an older version that lack fields", () => {
  const turn = readTurn({
    finish_reason: "tool_calls",
    logprobs: { content: [{ token: "a", logprob: -1 }, { token: 3 }] },
    message: {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "refund", arguments: "{}" } }, {}],
    },
  });
  expect(turn).toMatchObject({
    isChoice: true,
    tokens: [{ token: "a", logprob: -1 }],
    calls: [
      { id: "c", name: "refund", arguments: "{}" },
      { id: "", name: "", arguments: "" },
    ],
  });
  for (const odd of [null, 7, "text", {}, { messages_and_choices: "none" }]) expect(turnsOf(odd)).toEqual([]);
});

it("counts the messages before the first choice that all attempts share", () => {
  const read = (messages: object[]) => turnsOf({ messages_and_choices: messages });
  expect(commonTurns([read([user, choice("a")]), read([user, choice("a")])])).toBe(1);
  expect(commonTurns([read([user, user]), read([{ ...user, content: "When?" }, user])])).toBe(0);
  expect(commonTurns([read([user, user, choice("b")]), read([user])])).toBe(1);
  expect(commonTurns([])).toBe(0);
});

it.each([
  ["gsm8k", "gsm8k"],
  [3, "3"],
  [true, "true"],
  ["!x", '"!x"'],
  ["1..2", '"1..2"'],
  ['"a"', String.raw`"\"a\""`],
  ["", '""'],
])("writes a condition that means %j alone", (value, condition) => {
  expect(exactly(value)).toBe(condition);
});
