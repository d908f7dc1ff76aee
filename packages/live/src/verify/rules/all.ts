import { groupBy } from "../group.ts";
import type { Sentence } from "../sentences.ts";
import { chat } from "./chat.ts";
import { errors } from "./errors.ts";
import { objects } from "./objects.ts";
import { statistics } from "./statistics.ts";
import { training } from "./training.ts";

/** Every sentence of a schema that is held, in one list: a test finds each in the documents. */
export const sentences: readonly Sentence[] = [...chat, ...errors, ...objects, ...statistics, ...training];

/** The same by the name of the schema. */
export const rules: ReadonlyMap<string, readonly Sentence[]> = groupBy(sentences, ({ schema }) => schema);
