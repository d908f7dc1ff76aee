import { extensionRules } from "./extensions.ts";
import { type Rules, truth, annotation } from "./keys.ts";

/** Keywords that are allowed anywhere: annotations, and the contract's own keys. */
export const annotations: Rules = {
  title: annotation("title-changed"),
  description: annotation("description-changed"),
  externalDocs: annotation("description-changed"),
  $comment: annotation("description-changed"),
  example: annotation("example-changed"),
  examples: annotation("example-changed"),
  deprecated: truth("deprecated", "undeprecated", "deprecated"),
  ...extensionRules,
};
