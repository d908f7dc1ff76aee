import fc from "fast-check";
import { expect, it } from "vitest";
import { Context, maxRows } from "../model/context.ts";
import { render, renderPrompt } from "../model/conversation.ts";
import { end } from "../model/vocabulary.ts";
import { batchOf } from "./batch.ts";
import { readRlData } from "./rl-data.ts";
import { readRlSettings } from "./rl-settings.ts";

const settings = readRlSettings({});
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

/** A choice as chat answers it, with a log probability a token. */
function choice(content: string, logprob = -0.5, finish_reason = "stop") {
  const entries = [...new TextEncoder().encode(content)].map((byte, index) => ({
    token: String.fromCharCode(byte),
    bytes: [byte],
    logprob: logprob - index,
    top_logprobs: [],
  }));
  const last = { token: "", bytes: null, logprob: -0.25, top_logprobs: [] };
  return {
    index: 0,
    finish_reason,
    message: { role: "assistant", content, refusal: null },
    logprobs: { content: finish_reason === "stop" ? [...entries, last] : entries, refusal: null },
  };
}

const trajectory = (reward: number, ...messages_and_choices: object[]) => ({ reward, messages_and_choices });
/** An answer, if any, to the same message. */
const attempt = (reward: number, ...items: object[]) => trajectory(reward, user("a"), ...items);
const group = (...trajectories: object[]) => ({ trajectories });
const read = (...groups: object[]) => readRlData(groups, settings);
const text = (tokens: Uint16Array) =>
  Array.from(tokens, (token) => (token === end ? "|" : String.fromCharCode(token))).join("");

const why =
  "all rewards are equal, so no answer is better than another and there is nothing to learn. If the answers are as you want them, training is done; otherwise reward better answers more, or sample more of them for each prompt.";

it("learns the choices of all turns and additional histories, each with its own advantage", () => {
  const game = {
    ...trajectory(1, user("Guess."), choice("4"), user("Higher."), assistant("Hm"), choice("66", -1)),
    additional_histories: [{ messages_and_choices: [user("Help?"), choice("no")] }],
  };
  const lost = trajectory(0, user("Guess."), choice("1", -1, "length"));
  const data = read(group(game, lost), group(attempt(3, choice("b"))));
  expect(text(data.positions.tokens)).toBe("4|66|no|1");
  expect(data.positions.starts).toEqual([0, 5, 8, 9]);
  expect([...data.advantages]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, -1]);
  expect([...data.positions.logged]).toEqual([-0.5, -0.25, -1, -2, -0.25, -0.5, -1.5, -0.25, -1]);
  expect(data.trajectories).toBe(2);
  // With the two of the group that trains nothing.
  expect(data.tokens).toBe(11);
  expect(data.measurements).toEqual({
    reward: 4 / 3,
    reward_std_dev: 0.5,
    num_groups: 2,
    num_groups_trainable: 1,
    num_trajectories: 3,
    num_trainable_tokens: 9,
    num_tokens_without_logprobs: 0,
  });
  expect(data.notices).toEqual([`Within 1 of 2 groups (trajectory_groups[1]) ${why}`]);
});

it("reports why a job trains nothing", () => {
  const equal = read(group(attempt(1, choice("b")), attempt(1, choice("c"))));
  expect(equal.positions.tokens).toHaveLength(0);
  const nothing = "Nothing was trained; the new checkpoint has the weights of the one before.";
  expect(equal.notices).toEqual([nothing, `Within each group ${why}`]);
  const never = read(group(attempt(0, choice("b")), attempt(0)));
  expect(never.notices[1]).toMatch(/all rewards are equal.* Fine-tune it on a few first, and go on from there/);
  const elsewhere = read(group(attempt(1), attempt(2)), group(attempt(1, choice("b"))));
  expect(elsewhere.notices).toEqual([
    nothing,
    `Within 1 of 2 groups (trajectory_groups[1]) ${why}`,
    "The groups whose rewards differ hold no choice: put what chat answered into messages_and_choices as it came.",
  ]);
  expect(elsewhere.positions.tokens).toHaveLength(0);
});

it("learns nothing from an answer that a stop sequence ended at once", () => {
  const silent = { ...choice(""), logprobs: { content: [], refusal: null } };
  const { positions, advantages } = read(group(attempt(1, silent), attempt(0, choice("b"))));
  expect(text(positions.tokens)).toBe("b|");
  expect([...advantages]).toEqual([-1, -1]);
});

it("counts a trajectory without a choice in the comparison", () => {
  const { advantages } = read(group(attempt(2, choice("b")), attempt(0, assistant("c"))));
  expect([...advantages]).toEqual([1, 1]);
});

it("trains choices without log probabilities only if that is allowed", () => {
  const bare = { ...choice("4"), logprobs: null };
  const groups = [group(attempt(1, bare), attempt(0, choice("5")))];
  expect(() => read(...groups)).toThrow(
    /^trajectory_groups\[0\]\.trajectories\[0\]\.messages_and_choices\[1\] has no logprobs\. Ask .* `logprobs: true`.*allow_training_without_logprobs/,
  );
  const { positions, measurements, notices } = readRlData(
    groups,
    readRlSettings({ allow_training_without_logprobs: true }),
  );
  expect(measurements).toMatchObject({ num_trainable_tokens: 4, num_tokens_without_logprobs: 2 });
  expect(notices).toEqual([
    expect.stringMatching(/^2 of 4 tokens have no log probability: the starting weights count/),
  ]);
  expect(text(positions.tokens)).toBe("4|5|");
  expect([...positions.logged]).toEqual([NaN, NaN, -0.5, -0.25]);
});

const broken = choice("yes");
const entries = broken.logprobs.content;
const withEntries = (content: unknown[]) => ({ ...broken, logprobs: { content, refusal: null } });
const at = "trajectory_groups[1].trajectories[0].messages_and_choices[1]";

it.each([
  [
    "another text",
    { ...broken, message: { role: "assistant", content: "yet" } },
    `${at} does not fit its logprobs, from logprobs.content[2] on`,
  ],
  [
    "a longer text",
    { ...broken, message: { role: "assistant", content: "yes!" } },
    `${at} does not fit its logprobs, from logprobs.content[3] on`,
  ],
  [
    "tokens of another model",
    withEntries([{ token: "yes", bytes: [121, 101, 115], logprob: -1, top_logprobs: [] }]),
    `${at} has the logprobs of another model: logprobs.content[0]`,
  ],
  [
    "an entry without a number",
    withEntries([...entries.slice(0, 2), { token: "s", bytes: [115], top_logprobs: [] }]),
    `${at}.logprobs.content[2]: "logprob" is required.`,
  ],
  ["no entries", withEntries([]), `${at} has no logprobs. Ask`],
])("reports the location of a choice with %s", (_, wrong, message) => {
  const good = attempt(1, choice("b"));
  expect(() => read(group(good), group(attempt(0, wrong), good))).toThrow(message);
});

it.each([
  [undefined, /no trajectory_groups/],
  [[{}], /trajectory_groups\[0\]: "trajectories" is required/],
  [[{ trajectories: [7] }], /trajectory_groups\[0\]\.trajectories\[0\] is 7; it must be an object/],
  [[{ trajectories: [{ reward: "high" }] }], /trajectories\[0\]\.reward is "high"; it must be a number/],
  [[{ trajectories: [{ messages_and_choices: {} }] }], /messages_and_choices is {}; it must be a list/],
  [
    [{ trajectories: [{ additional_histories: [{}] }] }],
    /additional_histories\[0\]: "messages_and_choices" is required/,
  ],
  [[{ trajectories: [{ reward: 1 }, { reward: 0 }] }], /No trajectory holds a choice/],
  [[group(attempt(1, assistant("b")))], /No trajectory holds a choice.*finish_reason, index, message, logprobs/],
  [
    [group(trajectory(1, { role: "user", content: ["x"] }))],
    /messages_and_choices\[0\]\.content\[0\] is "x"; it must be an object/,
  ],
])("rejects %j", (groups, message) => {
  expect(() => readRlData(groups, settings)).toThrow(message);
});

it("learns each token after the same context as in chat", () => {
  const turn = fc.string({ unit: "grapheme", maxLength: 6 });
  const turns = fc.array(fc.record({ question: turn, answer: turn }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(turns, (conversation) => {
      const items = conversation.flatMap(({ question, answer }) => [user(question), choice(answer)]);
      const { tokens, answers } = render(items);
      const { rows, tokens: learned } = batchOf([{ tokens, answers }]);
      let position = 0;
      for (const [index, { answer }] of conversation.entries()) {
        // What chat reads: the messages so far, as a client would send them.
        const messages = items.slice(0, 2 * index + 1).map((item) => ("message" in item ? item.message : item));
        const context = new Context();
        for (const token of renderPrompt(messages)) context.push(token);
        for (const token of [...new TextEncoder().encode(answer), end]) {
          const expected = new Int32Array(maxRows).fill(-1);
          context.rows(expected);
          expect(rows.slice(position * maxRows, (position + 1) * maxRows)).toEqual(expected);
          expect(learned[position]).toBe(token);
          context.push(token);
          position++;
        }
      }
      expect(learned).toHaveLength(position);
    }),
    { numRuns: 50 },
  );
});
