import { describe, expect, it } from "vitest";
import { chatService, choice, type ChatService, type Reply } from "../../test/chat-service.ts";
import { type ChatMessage, isChoice, type MessageOrChoice, type Trajectory } from "../index.ts";
import { recordTrajectory } from "./index.ts";

const model = "demo/tiny";
const user = (content: string): ChatMessage => ({ role: "user", content });
const tool = { type: "function" as const, function: { name: "departures", parameters: { type: "object" } } };
const call = {
  id: "call-1",
  type: "function" as const,
  function: { name: "departures", arguments: '{"from":"Voss"}' },
};

/** A conversation in few words: who said what, a choice as `choice`. */
function linesOf(items: readonly MessageOrChoice[] = []): string[] {
  return items.map((item) => {
    const { content } = isChoice(item) ? item.message : item;
    return `${isChoice(item) ? "choice" : item.role}: ${JSON.stringify(content ?? null).replaceAll('"', "")}`;
  });
}
const twoTurns = ["user: When?", "choice: At 9:31.", "user: And then?", "choice: At 10:02."];
const historiesOf = ({ additional_histories = [] }: Trajectory): string[][] =>
  additional_histories.map(({ messages_and_choices }) => linesOf(messages_and_choices));

/** What both clients can do, in the words of each. */
type Ask = (service: ChatService, messages: ChatMessage[], body?: object) => Promise<Trajectory>;
const clients: [name: string, ask: Ask][] = [
  [
    "ours",
    ({ ours }, messages, body) =>
      recordTrajectory(ours, async (recorded) => {
        const { choices } = await recorded.chat.completions.create({ model, messages, ...body });
        if (choices[0]) messages.push(choices[0].message, user("And then?"));
        await recorded.chat.completions.create({ model, messages, ...body });
      }),
  ],
  [
    "openai",
    ({ theirs }, messages, body) =>
      recordTrajectory(theirs, async (recorded) => {
        const ask = { model, messages: messages as [], ...body };
        const { choices } = await recorded.chat.completions.create(ask);
        if (choices[0]) messages.push(choices[0].message, user("And then?"));
        await recorded.chat.completions.create(ask);
      }),
  ],
];

describe.each(clients)("the client %s", (_, ask) => {
  it("records the messages and choices of a conversation, each once, in order", async () => {
    const trajectory = await ask(chatService("At 9:31.", "At 10:02."), [
      { role: "system", content: "Be brief." },
      user("When?"),
    ]);
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["system: Be brief.", ...twoTurns]);
    expect(trajectory.messages_and_choices?.[2]).toEqual(choice({ content: "At 9:31." }));
    expect(trajectory).not.toHaveProperty("additional_histories");
    expect(trajectory).not.toHaveProperty("tools");
  });

  it("records tools and tool calls", async () => {
    const service = chatService({ content: null, tool_calls: [call] }, "At 9:31.");
    const trajectory = await ask(service, [user("When?")], { tools: [tool] });
    expect(trajectory.tools).toEqual([tool]);
    expect(linesOf(trajectory.messages_and_choices)).toEqual([
      "user: When?",
      "choice: null",
      "user: And then?",
      "choice: At 9:31.",
    ]);
    expect(trajectory.messages_and_choices?.[1]).toEqual(choice({ tool_calls: [call] }));
  });

  it("records each further choice in its own history", async () => {
    const trajectory = await ask(chatService(["At 9:31.", "At noon."], "At 10:02."), [user("When?")], { n: 2 });
    expect(linesOf(trajectory.messages_and_choices)).toEqual(twoTurns);
    expect(historiesOf(trajectory)).toEqual([["user: When?", "choice: At noon."]]);
  });
});

describe("streams", () => {
  const expected = ["user: When?", "choice: At 9:31."];

  it("of the client are recorded as they are read, and by final()", async () => {
    const { ours } = chatService("At 9:31.");
    const texts: string[] = [];
    const body = { model, messages: [user("When?")], stream: true as const };
    const read = await recordTrajectory(ours, async (recorded) => {
      for await (const chunk of await recorded.chat.completions.create(body))
        texts.push(chunk.choices[0]?.delta.content ?? "");
    });
    expect(texts.join("")).toBe("At 9:31.");
    expect(linesOf(read.messages_and_choices)).toEqual(expected);
    const whole = await recordTrajectory(ours, async (recorded) => {
      const { choices } = await (await recorded.chat.completions.create(body)).final();
      return choices[0]?.message.content?.length ?? 0;
    });
    expect(linesOf(whole.messages_and_choices)).toEqual(expected);
    expect(whole.reward).toBe(8);
    const both = await recordTrajectory(ours, async (recorded) => {
      const stream = await recorded.chat.completions.create(body);
      for await (const _ of stream);
      await stream.final();
    });
    expect(linesOf(both.messages_and_choices)).toEqual(expected);
    expect(both).not.toHaveProperty("additional_histories");
  });

  it("of the openai package are recorded, also if they are split", async () => {
    const { theirs } = chatService({ content: "At 9:31.", tool_calls: [call] });
    const body = { model, messages: [{ role: "user" as const, content: "When?" }], stream: true as const };
    const read = await recordTrajectory(theirs, async (recorded) => {
      for await (const _ of await recorded.chat.completions.create(body));
    });
    expect(linesOf(read.messages_and_choices)).toEqual(expected);
    expect(read.messages_and_choices?.[1]).toEqual(choice({ content: "At 9:31.", tool_calls: [call] }));
    const split = await recordTrajectory(theirs, async (recorded) => {
      const [left, right] = (await recorded.chat.completions.create(body)).tee();
      for await (const _ of left);
      for await (const _ of right);
    });
    expect(linesOf(split.messages_and_choices)).toEqual(expected);
  });

  it("that are abandoned are recorded as choices if these are complete, and otherwise as the text so far", async () => {
    const { ours } = chatService("At 9:31.");
    const body = { model, messages: [user("When?")], stream: true as const };
    const leave = (when: (seen: string, ended: boolean) => boolean): Promise<Trajectory> =>
      recordTrajectory(ours, async (recorded) => {
        let seen = "";
        for await (const { choices } of await recorded.chat.completions.create(body)) {
          seen += choices[0]?.delta.content ?? "";
          if (when(seen, !!choices[0]?.finish_reason)) break;
        }
      });
    expect(linesOf((await leave((_, ended) => ended)).messages_and_choices)).toEqual(expected);
    const { messages_and_choices: [, left] = [] } = await leave((seen) => seen === "At ");
    expect(left).toEqual({ role: "assistant", content: "At " });
    expect((await leave(() => true)).messages_and_choices).toEqual([]);
  });
});

describe("the helpers of the openai package", () => {
  const body = { model, messages: [{ role: "user" as const, content: "When?" }] };

  it("parse", async () => {
    const { theirs } = chatService('{"time":"9:31"}');
    const trajectory = await recordTrajectory(theirs, async (recorded) => {
      const { choices } = await recorded.chat.completions.parse(body);
      expect(choices[0]?.message.content).toBe('{"time":"9:31"}');
    });
    expect(trajectory.messages_and_choices).toEqual([...body.messages, choice({ content: '{"time":"9:31"}' })]);
  });

  it("stream", async () => {
    const { theirs } = chatService("At 9:31.");
    const trajectory = await recordTrajectory(theirs, async (recorded) => {
      expect(await recorded.chat.completions.stream(body).finalContent()).toBe("At 9:31.");
    });
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["user: When?", "choice: At 9:31."]);
  });

  it("runTools", async () => {
    const { theirs } = chatService({ content: null, tool_calls: [call] }, "At 9:31.");
    const run = { type: "function" as const, function: { ...tool.function, description: "", function: () => "9:31" } };
    const trajectory = await recordTrajectory(theirs, async (recorded) => {
      await recorded.chat.completions.runTools({ ...body, tools: [run] }).finalContent();
    });
    expect(linesOf(trajectory.messages_and_choices)).toEqual([
      "user: When?",
      "choice: null",
      "tool: 9:31",
      "choice: At 9:31.",
    ]);
    expect(trajectory.tools).toMatchObject([tool]);
  });

  it("and everything besides chat works: methods of the client, responses, errors", async () => {
    const { theirs } = chatService("At 9:31.");
    const gone = chatService(Response.json({ error: { message: "No." } }, { status: 404 }));
    await recordTrajectory(theirs, async (recorded) => {
      expect(recorded).toBeInstanceOf(theirs.constructor);
      expect(recorded.withOptions({ timeout: 1000 }).timeout).toBe(1000);
      const { data, response } = await recorded.chat.completions.create(body).withResponse();
      expect([data.choices.length, response.status]).toEqual([1, 200]);
    });
    await expect(
      recordTrajectory(gone.theirs, (recorded) => recorded.chat.completions.create(body).then(() => 1)),
    ).rejects.toThrow("404");
  });
});

describe("an additional history", () => {
  const ask = (
    replies: Reply[],
    requests: (ChatMessage[] | { messages: ChatMessage[]; tools: (typeof tool)[] })[],
  ): Promise<Trajectory> =>
    recordTrajectory(chatService(...replies).ours, async (recorded) => {
      for (const request of requests)
        await recorded.chat.completions.create({
          model,
          ...(Array.isArray(request) ? { messages: request } : request),
        });
    });

  it("starts with a request that does not continue the conversation, which may continue after it", async () => {
    const main = [user("When?")];
    const trajectory = await ask(
      ["At 9:31.", "Ja.", "At 10:02."],
      [main, [user("Norwegian for yes?")], [...main, { role: "assistant", content: "At 9:31." }, user("And then?")]],
    );
    expect(linesOf(trajectory.messages_and_choices)).toEqual(twoTurns);
    expect(historiesOf(trajectory)).toEqual([["user: Norwegian for yes?", "choice: Ja."]]);
  });

  it("starts with a request that repeats, goes back, or changes a message", async () => {
    const trajectory = await ask(
      ["one", "two", "three"],
      [[user("a")], [user("a")], [user("a"), { role: "assistant", content: "changed", refusal: null }, user("b")]],
    );
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["user: a", "choice: one"]);
    expect(historiesOf(trajectory)).toEqual([
      ["user: a", "choice: two"],
      ["user: a", "assistant: changed", "user: b", "choice: three"],
    ]);
    // A trajectory's own messages have no nulls.
    expect(trajectory.additional_histories?.[1]?.messages_and_choices[1]).toEqual({
      role: "assistant",
      content: "changed",
    });
  });

  it("starts with a request that has other tools, and records these", async () => {
    const trajectory = await ask(
      ["one", "two"],
      [[user("a")], { messages: [user("a"), { role: "assistant", content: "one" }, user("b")], tools: [tool] }],
    );
    expect(trajectory).not.toHaveProperty("tools");
    expect(trajectory.additional_histories?.[0]?.tools).toEqual([tool]);
    expect(historiesOf(trajectory)).toEqual([["user: a", "assistant: one", "user: b", "choice: two"]]);
  });

  it("does not start if an answer is only rewritten: as parts, without reasoning, or with its members in another order", async () => {
    const again = {
      tool_calls: [
        {
          function: { arguments: call.function.arguments, name: "departures" },
          type: "function" as const,
          id: "call-1",
        },
      ],
    };
    const trajectory = await ask(
      [{ content: "", tool_calls: [call] }, "two"],
      [
        [user("a")],
        [
          { content: "a", role: "user" },
          { role: "assistant", ...again },
          { role: "tool", tool_call_id: "call-1", content: "9:31" },
        ],
      ],
    );
    expect(historiesOf(trajectory)).toEqual([]);
    const parts = await ask(
      ["one", "two"],
      [[user("a")], [user("a"), { role: "assistant", content: [{ type: "text", text: "one" }] }, user("b")]],
    );
    expect(historiesOf(parts)).toEqual([]);
  });

  it("keeps the order of the requests, whichever response is first", async () => {
    const slow = new Response(JSON.stringify({ id: "c", choices: [choice({ content: "slow" })] }));
    const { ours } = chatService(slow, "fast");
    const trajectory = await recordTrajectory(ours, async (recorded) => {
      await Promise.all(
        ["first", "second"].map((text) => recorded.chat.completions.create({ model, messages: [user(text)] })),
      );
    });
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["user: first", "choice: slow"]);
    expect(historiesOf(trajectory)).toEqual([["user: second", "choice: fast"]]);
  });
});

describe("what a rollout returns", () => {
  it("is its reward, or more, and its own histories follow the recorded ones", async () => {
    const { ours } = chatService("one");
    const request = { model, messages: [user("a")] };
    const before = Date.now();
    const reward = await recordTrajectory(ours, async ({ chat }) => {
      await chat.completions.create(request);
      return 0.5;
    });
    expect(reward).toEqual({
      messages_and_choices: [user("a"), choice({ content: "one" })],
      reward: 0.5,
      start_time: reward.start_time,
    });
    expect(Date.parse(reward.start_time ?? "")).toBeGreaterThanOrEqual(before);

    const own = { messages_and_choices: [user("by hand")] as MessageOrChoice[] };
    const outcome = {
      reward: 1,
      metrics: { hops: 2 },
      metadata: { line: "Voss" },
      logs: ["left"],
      start_time: "2026-01-02T03:04:05Z",
    };
    const extended = await recordTrajectory(ours, async ({ chat }) => {
      await chat.completions.create(request);
      await chat.completions.create(request);
      return { ...outcome, additional_histories: [own] };
    });
    expect(extended).toMatchObject(outcome);
    expect(extended.additional_histories).toEqual([
      { messages_and_choices: [user("a"), choice({ content: "one" })] },
      own,
    ]);
  });

  it("is lost if it fails, and a failed call is not recorded", async () => {
    const { ours } = chatService(Response.json({ detail: "No." }, { status: 404 }), "one");
    await expect(recordTrajectory(ours, () => Promise.reject(new Error("derailed")))).rejects.toThrow("derailed");
    const trajectory = await recordTrajectory(ours, async ({ chat }) => {
      await chat.completions.create({ model, messages: [user("a")] }).catch(() => {});
      await chat.completions.create({ model, messages: [user("b")] });
    });
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["user: b", "choice: one"]);
  });

  it("does not change the client, and later changes do not affect it", async () => {
    const { ours, requests } = chatService("one");
    const { create } = ours.chat.completions;
    const messages = [user("a")];
    const trajectory = await recordTrajectory(ours, async (recorded) => {
      const { choices } = await recorded.chat.completions.create({ model, messages });
      if (choices[0]) choices[0].message.content = "changed";
      messages.splice(0);
      expect(recorded.models.create).toBeTypeOf("function");
    });
    expect(ours.chat.completions.create).toBe(create);
    expect(requests).toHaveLength(1);
    expect(linesOf(trajectory.messages_and_choices)).toEqual(["user: a", "choice: one"]);
  });
});
