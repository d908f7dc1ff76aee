import { groupBy } from "../group.ts";
import type { Sentence } from "../sentences.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { objects } from "./objects.ts";
import { statistics } from "./statistics.ts";
import { training } from "./training.ts";

/** All rules. A test checks that the documents have the text of each. */
export const sentences: readonly Sentence[] = [...chat, ...errors, ...objects, ...statistics, ...training];

/** The rules by the name of their schema. */
export const rules: ReadonlyMap<string, readonly Sentence[]> = groupBy(sentences, ({ schema }) => schema);
