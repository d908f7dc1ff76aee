import type { RuleId } from "../../generated/rules.ts";
import { chat, errors, objects } from "./answers.ts";
import type { Row } from "./rule.ts";
import { statistics } from "./statistics.ts";
import { jobs, models } from "./training.ts";

/** How each rule of the documents is checked, or why it is not. The compiler names an id without a row. */
export const rules: Readonly<Record<RuleId, Row>> = {
  ...chat,
  ...errors,
  ...jobs,
  ...models,
  ...objects,
  ...statistics,
};
