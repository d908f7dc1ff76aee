import { extensionRules } from "./extensions.ts";
import { type Rules, truth, words } from "./keys.ts";

/** Keywords that are allowed anywhere: annotations, and the contract's own keys. */
export const annotations: Rules = {
  title: words("title-changed"),
  description: words("description-changed"),
  externalDocs: words("description-changed"),
  $comment: words("description-changed"),
  example: words("example-changed"),
  examples: words("example-changed"),
  deprecated: truth("deprecated", "undeprecated", "deprecated"),
  ...extensionRules,
};
