import { expect, it } from "vitest";
import { isChoice, isMessage } from "./guards.ts";
import type { Choice, MessageOrChoice } from "./generated/schema.ts";

const choice: Choice = { finish_reason: "stop", index: 0, message: { role: "assistant", content: "On Sundays too." } };
const withRole: MessageOrChoice = Object.assign(structuredClone(choice), { role: undefined });

it.each<[string, MessageOrChoice, boolean]>([
  ["a choice", choice, true],
  ["a choice with a property that has the name of a message's", withRole, true],
  ["a message of the user", { role: "user", content: "Is the depot open on Sundays?" }, false],
  ["a message of the assistant without words", { role: "assistant" }, false],
])("%s", (_, item, expected) => {
  expect([isChoice(item), isMessage(item)]).toEqual([expected, !expected]);
});

it("narrows", () => {
  const items: MessageOrChoice[] = [choice, { role: "user", content: "Thanks." }];
  const indexes: number[] = items.filter(isChoice).map((item) => item.index);
  const roles: string[] = items.filter(isMessage).map((item) => item.role);
  expect([indexes, roles]).toEqual([[0], ["user"]]);
});
