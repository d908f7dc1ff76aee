import fc from "fast-check";
import { expect, it } from "vitest";
import { ask, smallModel } from "../../test/lib.ts";
import { logprobEntry } from "../sampling/logprob-entry.ts";
import { sample } from "../sampling/sample.ts";
import { plainSettings } from "../sampling/settings.ts";
import { render, renderPrompt } from "./conversation.ts";
import { end, marks } from "./vocabulary.ts";

const bytes = (text: string) => [...new TextEncoder().encode(text)];
const choiceOf = (content: string | null, extra: object = {}) => ({
  index: 0,
  finish_reason: "stop",
  message: { role: "assistant", content },
  ...extra,
});

it("writes the token of the speaker, the text and the end of each message", () => {
  const { tokens, answers } = render([
    { role: "developer", content: "a" },
    { role: "user", content: "é" },
    { role: "assistant", content: "yes" },
    {
      role: "tool",
      tool_call_id: "1",
      content: [
        { type: "text", text: "x" },
        { type: "text", text: "y" },
      ],
    },
    choiceOf("no"),
  ]);
  const { system, user, assistant, tool } = marks;
  const spoken: [number, string][] = [
    [system, "a"],
    [user, "é"],
    [assistant, "yes"],
    [tool, "x\ny"],
    [assistant, "no"],
  ];
  expect([...tokens]).toEqual(spoken.flatMap(([mark, text]) => [mark, ...bytes(text), end]));
  expect(answers.map(({ message, isChoice }) => [message, isChoice])).toEqual([
    [2, false],
    [4, true],
  ]);
  expect(answers.map(({ start, end: stop }) => Array.from(tokens.slice(start, stop)))).toEqual([
    [...bytes("yes"), end],
    [...bytes("no"), end],
  ]);
});

it("ends a prompt where the answer starts, so that an answer is rendered as what follows its prompt", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (question, answer) => {
      const prompt = renderPrompt(ask(question));
      const { tokens, answers } = render([...ask(question), { role: "assistant", content: answer }]);
      expect(tokens.slice(0, prompt.length)).toEqual(prompt);
      expect(answers[0]).toMatchObject({ start: prompt.length, end: tokens.length });
    }),
  );
});

it("reads the tokens of a choice and their log probabilities from its logprobs", () => {
  const model = smallModel();
  for (const [question, seed, maxTokens] of [
    ["Is it?", 1, 100],
    ["Where?", 2, 100],
    ["Where?", 3, 4],
  ] as const) {
    const sampled = [...sample(model, renderPrompt(ask(question)), { ...plainSettings, seed, maxTokens })];
    const generated = sampled.map(({ token }) => token);
    const content = new TextDecoder().decode(Uint8Array.from(generated.filter((token) => token !== end)));
    const finish_reason = generated.at(-1) === end ? "stop" : "length";
    const choice = choiceOf(content, { finish_reason, logprobs: { content: sampled.map(logprobEntry) } });
    const { tokens, answers } = render([...ask(question), JSON.parse(JSON.stringify(choice)), ...ask("Well?")]);
    const [answer] = answers;
    expect(Array.from(tokens.slice(answer?.start, answer?.end))).toEqual(generated);
    expect([...(answer?.logprobs ?? [])]).toEqual(sampled.map(({ logprob }) => logprob));
    // What was cut off is ended all the same: the next message begins behind it.
    expect(tokens[generated.at(-1) === end ? (answer?.end ?? 0) - 1 : (answer?.end ?? 0)]).toBe(end);
  }
});

it("ignores the logprobs of another model's tokens, and those of another text", () => {
  const entry = (token: string, bytes: number[] | null) => ({ token, bytes, logprob: -1, top_logprobs: [] });
  const word = choiceOf("yes", { logprobs: { content: [entry("yes", bytes("yes"))] } });
  const edited = choiceOf("no", {
    logprobs: { content: ["y", "e", "s"].map((letter) => entry(letter, bytes(letter))) },
  });
  for (const choice of [word, edited, choiceOf("yes", { logprobs: null })]) {
    const { tokens, answers } = render([choice]);
    expect(answers[0]?.logprobs).toBeUndefined();
    expect([...tokens]).toEqual([marks.assistant, ...bytes(choice.message.content ?? ""), end]);
  }
});

it("counts the end as part of an answer that reached it, and of no other", () => {
  const ends = (choice: unknown) => render([choice]).answers.map(({ start, end }) => end - start);
  expect(ends(choiceOf("yes"))).toEqual([4]);
  expect(ends(choiceOf("yes", { finish_reason: "length" }))).toEqual([3]);
  expect(ends({ role: "assistant", content: "yes" })).toEqual([4]);
});

it("writes tool calls and refusals as text", () => {
  const call = { id: "1", type: "function", function: { name: "find", arguments: '{"a":1}' } };
  const textOf = (message: object) => {
    const { tokens, answers } = render([{ role: "assistant", ...message }]);
    return new TextDecoder().decode(Uint8Array.from(tokens.slice(answers[0]?.start, (answers[0]?.end ?? 0) - 1)));
  };
  expect(textOf({ content: null, tool_calls: [call] })).toBe('find({"a":1})');
  expect(textOf({ content: "One moment.", tool_calls: [call, call] })).toBe(
    'One moment.\nfind({"a":1})\nfind({"a":1})',
  );
  expect(textOf({ content: null, refusal: "No." })).toBe("No.");
  expect(textOf({ tool_calls: null, content: [{ type: "refusal", refusal: "No." }] })).toBe("No.");
});

it("reads a picture or a sound as the name of its kind", () => {
  const image = { type: "image_url", image_url: { url: "data:," } };
  const seen = { role: "user", content: [{ type: "text", text: "this:" }, image] };
  expect(render([seen])).toEqual(render([{ role: "user", content: "this:\n[image_url]" }]));
  expect(render([...ask("x"), { role: "assistant", audio: { id: "1" } }])).toEqual(
    render([...ask("x"), { role: "assistant", content: "[audio]" }]),
  );
});

it("reports what it cannot read, and where", () => {
  const cases: [unknown, (string | number)[]][] = [
    [{ role: "user", content: [{ type: "text", text: "this:" }, "that"] }, [1, "content", 1]],
    [{ role: "robot", content: "x" }, [1, "role"]],
    [{ role: "user", content: 5 }, [1, "content"]],
    ["hello", [1]],
    [{ finish_reason: "stop", message: null }, [1, "message"]],
  ];
  for (const [message, path] of cases) {
    expect(() => render([...ask("x"), message])).toThrow(expect.objectContaining({ name: "UnreadableMessage", path }));
  }
});
