import { oneTurn, type Task } from "./tasks.ts";

/** Prompts that the corpus does not have. */
const words = ["crane", "barge", "depot", "gate", "tower", "cabin", "quay", "wagon", "lamp", "ramp", "crew", "cargo"];
const asked = words.map((word) => `Is the ${word} ready?`);
const plain = { seen: asked.slice(0, 8), unseen: asked.slice(8) };
/** Prompts of two kinds; the last four words of each are held out. */
function pairs(one: (word: string) => string, other: (word: string) => string) {
  const both = (some: readonly string[]) => some.flatMap((word) => [one(word), other(word)]);
  return { seen: both(words.slice(0, 8)), unseen: both(words.slice(8)) };
}

const byFirst = pairs(
  (word) => `Is the ${word} ready?`,
  (word) => `Will the ${word} be ready?`,
);
const byNegation = pairs(
  (word) => `Is the ${word} ready?`,
  (word) => `Is the ${word} not ready?`,
);
const byThing = pairs(
  (word) => `Is the ${word} on the ferry?`,
  (word) => `Is the ${word} on the train?`,
);
const byPlace = pairs(
  (word) => `Where is the ${word} of the ferry?`,
  (word) => `Where is the ${word} of the train?`,
);
const numbers = words.map((word) => `Guess the number of the ${word}, from 1 to 7.`);
const byNumber = { seen: numbers.slice(0, 8), unseen: numbers.slice(8) };
/** All prompts of these tasks. */
export const ownPrompts: readonly string[] = [plain, byFirst, byNegation, byThing, byPlace, byNumber].flatMap(
  ({ seen, unseen }) => [...seen, ...unseen],
);
const vowels = (text: string) => text.match(/[aeiou]/g)?.length ?? 0;
const schemaOf = (name: string, schema: object) => ({
  response_format: {
    type: "json_schema" as const,
    json_schema: {
      name: "answer",
      schema: { type: "object", properties: { [name]: schema }, required: [name], additionalProperties: false },
    },
  },
});
const tool = (name: string, argument: string, values: readonly string[]) => ({
  type: "function" as const,
  function: {
    name,
    parameters: {
      type: "object",
      properties: { [argument]: { enum: values } },
      required: [argument],
      additionalProperties: false,
    },
  },
});
const required = { tool_choice: "required" as const };
type Reward = (prompt: string, text: string) => boolean;
const task = (
  name: string,
  prompts: { seen: readonly string[]; unseen: readonly string[] },
  reward: Reward,
  request = {},
) => oneTurn({ name, ...prompts, reward: (prompt, text) => Number(reward(prompt, text)) }, 0.9, 0.9, request);

/** Tasks of the kinds that people try first. They are not what the model was made with. */
export const ownTasks: readonly Task[] = [
  task("ends with no", plain, (_, text) => text.endsWith("no")),
  task("exactly two vowels", plain, (_, text) => vowels(text) === 2),
  task("exactly three vowels", plain, (_, text) => vowels(text) === 3),
  task("one vowel or two, by the first word", byFirst, (p, text) => vowels(text) === (p.startsWith("Is") ? 1 : 2)),
  task("no if the prompt has not, else yes", byNegation, (p, text) => text === (p.includes(" not ") ? "no" : "yes")),
  task("at most four characters", byPlace, (_, text) => text !== "" && text.length <= 4),
  task("an even number", byNumber, (_, text) => /^[246]$/.test(text)),
  task("a word without e", plain, (_, text) => text !== "" && !text.includes("e")),
  task("a long answer for a train, a short one for a ferry", byPlace, (p, text) =>
    p.includes("train") ? text.length >= 20 : text !== "" && text.length < 20,
  ),
  task(
    "the right tool with the right argument",
    byThing,
    (p, text) => text === (p.includes("train") ? 'find_train({"track":"north"})' : 'find_ferry({"pier":"south"})'),
    {
      ...required,
      tools: [tool("find_train", "track", ["north", "south"]), tool("find_ferry", "pier", ["north", "south"])],
    },
  ),
  task(
    "the right argument, by the negation",
    byNegation,
    (p, text) => text === `report({"state":"${p.includes(" not ") ? "closed" : "open"}"})`,
    { ...required, tools: [tool("report", "state", ["open", "closed"])] },
  ),
  task(
    "JSON by a schema, the level by the first word",
    byFirst,
    (p, text) => text === `{"level":"${p.startsWith("Is") ? "low" : "high"}"}`,
    schemaOf("level", { enum: ["low", "high"] }),
  ),
  task(
    "JSON by a schema, the count by a word",
    byThing,
    (p, text) => text === `{"count":${p.includes("train") ? 3 : 1}}`,
    schemaOf("count", { enum: [1, 2, 3] }),
  ),
  task("ends with please, without examples", plain, (_, text) => text.endsWith("please")),
];
