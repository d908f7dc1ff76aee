import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamError } from "../errors/index.ts";
import type { ChatChunk, ChatDelta, ChatFinishReason, ChatLogprobs, ChatResult, ChatToolCall } from "./chat-types.ts";
import { foldChat } from "./fold-chat.ts";

const head = { id: "c1", created: 7, model: "m" };

function chunk(
  delta: ChatDelta,
  finish_reason: ChatFinishReason | null = null,
  index = 0,
  logprobs?: ChatLogprobs,
): ChatChunk {
  return { ...head, choices: [{ index, delta, finish_reason, ...(logprobs && { logprobs }) }] };
}

function fold(...chunks: ChatChunk[]): ChatResult {
  const folding = foldChat();
  for (const each of chunks) folding.add(each);
  return folding.value();
}

const token = (text: string) => ({ token: text, logprob: -1, bytes: null, top_logprobs: [] });

describe("final() adds up", () => {
  it("content, into an answer as if it had not been streamed", () => {
    expect(
      fold(
        chunk({ role: "assistant", content: "" }),
        chunk({ content: "Hel" }),
        chunk({ content: "lo" }),
        chunk({}, "stop"),
      ),
    ).toEqual({
      ...head,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          finish_reason: "stop",
          logprobs: null,
          message: { role: "assistant", content: "Hello", refusal: null },
        },
      ],
    });
  });

  it("refusals and reasoning", () => {
    const { choices } = fold(
      chunk({ reasoning: "Hm" }),
      chunk({ reasoning: "m.", refusal: "I ca" }),
      chunk({ refusal: "nnot." }, "stop"),
    );
    expect(choices[0]?.message).toEqual({ role: "assistant", content: null, refusal: "I cannot.", reasoning: "Hmm." });
  });

  it("a call of a kind that the contract does not list, as it came", () => {
    const folding = foldChat();
    const chunk = { ...head, choices: [{ index: 0, delta: {}, finish_reason: "paused" }] };
    const call = { index: 0, id: "a", type: "web_search", query: "trains" };
    folding.add({ ...chunk, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] });
    folding.add(chunk);
    expect(folding.value().choices[0]).toMatchObject({
      finish_reason: "paused",
      message: { tool_calls: [{ id: "a", type: "web_search", query: "trains" }] },
    });
  });

  it("tool calls, by their index, functions and custom ones", () => {
    const { choices } = fold(
      chunk({ tool_calls: [{ index: 1, id: "b", type: "custom", custom: { name: "sh", input: "l" } }] }),
      chunk({ tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "add", arguments: "" } }] }),
      chunk({
        tool_calls: [
          { index: 0, function: { arguments: '{"x"' } },
          { index: 1, custom: { input: "s" } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, id: "a", function: { arguments: ":1}" } }] }, "tool_calls"),
    );
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "add", arguments: '{"x":1}' } },
          { id: "b", type: "custom", custom: { name: "sh", input: "ls" } },
        ],
      },
    });
  });

  it("the deprecated function_call", () => {
    const { choices } = fold(
      chunk({ function_call: { name: "add", arguments: "{" } }),
      chunk({ function_call: { arguments: "}" } }, "function_call"),
    );
    expect(choices[0]?.message.function_call).toEqual({ name: "add", arguments: "{}" });
  });

  it("log probabilities", () => {
    const { choices } = fold(
      chunk({ content: "a" }, null, 0, { content: [token("a")] }),
      chunk({ content: "b" }, "stop", 0, { content: [token("b")], refusal: null }),
    );
    expect(choices[0]?.logprobs).toEqual({ content: [token("a"), token("b")] });
  });

  it("several choices, in the order of their index", () => {
    const { choices } = fold(chunk({ content: "b" }, "stop", 1), chunk({ content: "a" }, "length", 0));
    expect(choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason])).toEqual([
      [0, "a", "length"],
      [1, "b", "stop"],
    ]);
  });

  it("the usage of the last chunk, which has no choices", () => {
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      prompt_tokens_details: { cached_tokens: 1 },
    };
    expect(fold({ ...chunk({ content: "a" }, "stop"), usage: null }, { ...head, choices: [], usage }).usage).toEqual(
      usage,
    );
    expect(fold(chunk({}, "stop"))).not.toHaveProperty("usage");
  });

  it("other fields of the service, inside the message and outside", () => {
    const delta = JSON.parse(
      '{"audio": {"id": "a", "data": "AA", "expires_at": 5}, "annotations": [{"type": "url_citation"}]}',
    );
    const rest = JSON.parse('{"audio": {"data": "BB"}, "annotations": [{"type": "url_citation"}]}');
    const { choices } = fold(chunk(delta), chunk(rest, "stop"));
    expect(choices[0]?.message).toMatchObject({
      audio: { id: "a", data: "AABB", expires_at: 5 },
      annotations: [{ type: "url_citation" }, { type: "url_citation" }],
    });
  });

  const usage = { prompt_tokens: 26, completion_tokens: 2, total_tokens: 28 };
  const call = (id: string, name: string, text: string) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  });
  const [first, second] = [call("1", "f", '{"a":1}'), call("2", "g", '{"b":2}')];
  it.each<[string, object[], object]>([
    [
      "choices without index, by their place",
      [
        { choices: [{ delta: { content: "Vo" } }, { index: null, delta: { content: "Oslo" } }] },
        { choices: [{ delta: { content: "ss" } }] },
        { choices: [{ finish_reason: "stop" }, { delta: null, finish_reason: "length" }] },
        { choices: [], usage },
      ],
      {
        usage,
        choices: [
          { index: 0, finish_reason: "stop", message: { content: "Voss" } },
          { index: 1, finish_reason: "length", message: { content: "Oslo" } },
        ],
      },
    ],
    ...[undefined, null].map((index): [string, object[], object] => [
      `tool calls with the index ${index}, as several whole ones`,
      [
        { choices: [{ index: 0, delta: { tool_calls: [{ ...first, index }] } }] },
        { choices: [{ index: 0, delta: { tool_calls: [{ ...second, index }] }, finish_reason: "tool_calls" }] },
      ],
      { choices: [{ message: { tool_calls: [first, second] } }] },
    ]),
    [
      "a tool call whose type is late, and whose id and name are empty or null later",
      [
        { choices: [{ delta: { role: "assistant", tool_calls: [{ index: 0, id: "1", function: { name: "f" } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, id: "", function: { name: null, arguments: '{"a"' } }] } }] },
        { choices: [{ delta: { role: "", tool_calls: [{ index: 0, id: null, function: { name: "" } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, type: "function", function: { arguments: ":1}" } }] } }] },
        { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
        { id: "", model: "", choices: [{ delta: {}, finish_reason: "" }] },
      ],
      {
        ...head,
        choices: [{ finish_reason: "tool_calls", message: { role: "assistant", tool_calls: [first] } }],
      },
    ],
    [
      "pieces that the contract does not name",
      [
        { choices: [{ index: 0, delta: { reasoning_content: "think " } }] },
        { choices: [{ index: 0, delta: { reasoning_content: "hard", content: "Voss" }, finish_reason: "stop" }] },
      ],
      { choices: [{ message: { content: "Voss", reasoning_content: "think hard" } }] },
    ],
  ])("%s", (_, chunks, expected) => {
    const folding = foldChat();
    for (const each of chunks) folding.add({ ...head, ...each } as unknown as ChatChunk);
    expect(folding.value()).toMatchObject(expected);
  });

  it("without changing a chunk or Object.prototype", () => {
    const calls = JSON.parse(
      '{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}], "__proto__": {"polluted": 1}}',
    );
    const first = chunk(calls);
    const before = structuredClone(first);
    fold(first, chunk({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }, "tool_calls"));
    expect(first).toEqual(before);
    expect(Object(null)).not.toHaveProperty("polluted");
  });

  it("no answer if a choice never ends, or if there is none", () => {
    for (const finish of [{ finish_reason: null }, {}, { finish_reason: "" }]) {
      const folding = foldChat();
      folding.add({ ...head, choices: [{ index: 0, delta: { content: "a" }, ...finish }] });
      expect(() => folding.value()).toThrow(StreamError);
      expect(folding.partial().choices?.[0]?.message?.content).toBe("a");
    }
    expect(() => fold()).toThrow(StreamError);
  });

  it("what anybody sends, as far as it can be added up, and throws nothing else than StreamError", () => {
    const names = ["choices", "index", "delta", "tool_calls", "function", "content", "finish_reason"];
    let value: fc.Arbitrary<unknown> = fc.constantFrom(null, "", "x", 0, 1, true);
    for (let depth = 0; depth < 5; depth++)
      value = fc.oneof(
        value,
        fc.array(value, { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }),
      );
    fc.assert(
      fc.property(fc.array(fc.record({ choices: value }), { maxLength: 3 }), (chunks) => {
        const folding = foldChat();
        for (const each of chunks) folding.add(JSON.parse(JSON.stringify(each)));
        folding.partial();
        try {
          expect(folding.value()).toEqual(folding.partial());
        } catch (error) {
          expect(error).toBeInstanceOf(StreamError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the same, however the answer is split into chunks", () => {
    const call = fc.record({
      id: fc.string({ minLength: 1 }),
      type: fc.constant("function" as const),
      function: fc.record({ name: fc.string({ minLength: 1 }), arguments: fc.string() }),
    });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.array(call, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 5 }),
        (content, calls, size) => {
          const cut = (text: string): string[] => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
          const chunks = [
            ...cut(content).map((piece) => chunk({ content: piece })),
            ...calls.flatMap(({ id, type, function: { name, arguments: text } }, index) => [
              chunk({ tool_calls: [{ index, id, type, function: { name } }] }),
              ...cut(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
            ]),
            chunk({}, "tool_calls"),
          ];
          const { message } = fold(...chunks).choices[0] ?? {};
          const expected: ChatToolCall[] = calls;
          expect(message?.content).toBe(content);
          expect(message?.tool_calls).toEqual(expected);
        },
      ),
    );
  });
});
