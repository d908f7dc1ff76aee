import { type Rules, passage, truth, words } from "./keys.ts";

/** Keywords that say nothing to programs, and those that say it in one place alone. */
export const annotations: Rules = {
  title: words("title-changed"),
  description: words("description-changed"),
  externalDocs: words("description-changed"),
  $comment: words("description-changed"),
  example: words("example-changed"),
  examples: words("example-changed"),
  "x-basis": passage("`x-basis`", "basis-changed", "basis-changed", "basis-changed"),
  "x-sensitive": passage("`x-sensitive`", "sensitive-changed", "sensitive-changed", "sensitive-changed"),
  deprecated: truth("deprecated", "undeprecated", "deprecated"),
};
