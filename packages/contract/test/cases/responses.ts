import { type Case, change } from "./case.ts";

const answers = "/components/responses";

export const responses: readonly Case[] = [
  change(
    "a second success status is added",
    "training",
    (draft) => draft.set("models.create/responses/202", { description: "Later." }),
    ["breaking", "result-added", "models.create › 202", "read"],
  ),
  change(
    "an error is added",
    "training",
    (draft) => draft.set("models.create/responses/402", { description: "Pay." }),
    ["additive", "error-added", "models.create › 402", "error"],
  ),
  change("an error is removed", "training", (draft) => draft.remove("models.delete/responses/404"), [
    "warning",
    "error-removed",
    "models.delete › 404",
    "error",
  ]),
  change("a response is removed", "training", (draft) => draft.remove("models.delete/responses/200"), [
    "breaking",
    "response-removed",
    "models.delete › 200",
    "read",
  ]),
  change(
    "a link is added",
    "inference",
    (draft) => draft.set("models.list/responses/200/links", { chat: { operationId: "chat" } }),
    ["additive", "link-added", "models.list › 200", "read"],
  ),
  change(
    "a header is added",
    "training",
    (draft) => draft.set("models.create/responses/200/headers/x-cost", { schema: { type: "number" } }),
    ["additive", "header-added", "models.create › 200 › header x-cost", "read"],
  ),
  change("a header is removed", "training", (draft) => draft.remove(`${answers}/TooManyRequests/headers/Retry-After`), [
    "breaking",
    "header-removed",
    "response TooManyRequests › header Retry-After",
    "error",
  ]),
  change("a header becomes optional", "training", (draft) => draft.remove("/components/headers/RequestId/required"), [
    "breaking",
    "header-optional",
    "header RequestId",
    "read error",
  ]),
  change(
    "the schema of a header accepts more",
    "training",
    (draft) => draft.set("/components/headers/RetryAfter/schema/maximum", 600),
    ["breaking", "limit-loosened", "header RetryAfter", "error"],
  ),
  change(
    "a media type of a response is added",
    "inference",
    (draft) => draft.set("models.list/responses/200/content/text~1csv", { schema: { type: "string" } }),
    ["additive", "media-type-added", "models.list › 200", "read"],
  ),
  change(
    "a media type of a response is removed",
    "inference",
    (draft) => draft.remove("chat.completions.create/responses/200/content/text~1event-stream"),
    ["breaking", "media-type-removed", "chat.completions.create › 200", "read"],
  ),
  change("authentication is added", "training", (draft) => draft.remove("health.check/security"), [
    "breaking",
    "security-added",
    "health.check",
    "call",
  ]),
  change(
    "an alternative security scheme is removed",
    "auxiliary",
    (draft) => draft.remove("feedback.stats/security/1"),
    ["breaking", "security-narrowed", "feedback.stats", "call"],
  ),
  change("a second credential is required", "auxiliary", (draft) => draft.set("hardware.list/security/0/apiKey", []), [
    "breaking",
    "security-narrowed",
    "hardware.list",
    "call",
  ]),
  change(
    "an alternative security scheme is added",
    "auxiliary",
    (draft) => draft.list("hardware.list/security").push({ apiKey: [] }),
    ["additive", "security-widened", "hardware.list", "call"],
  ),
  change("authentication is removed", "auxiliary", (draft) => draft.set("hardware.list/security", []), [
    "additive",
    "security-widened",
    "hardware.list",
    "call",
  ]),
  change(
    "the scheme of a credential changes",
    "training",
    (draft) => draft.set("/components/securitySchemes/apiKey/scheme", "basic"),
    ["breaking", "security-scheme-changed", "security scheme apiKey", "call"],
  ),
];
