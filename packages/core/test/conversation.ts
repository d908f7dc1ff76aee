const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const part = (type: string, extra: object): object => ({
  type: "object",
  description: "A part.",
  required: ["type", ...Object.keys(extra)],
  properties: { type: { const: type }, ...extra },
});
const message = (role: string, extra: object, required: string[] = []): object => ({
  type: "object",
  title: role,
  "x-basis": "interface",
  required: ["role", ...required],
  properties: { role: { type: "string", const: role, description: "Who speaks." }, ...extra },
});

/** For tests: small versions of a conversation's unions, and other schemas that documents use. */
export const schemas: Record<string, object> = {
  TextPart: part("text", { text: { type: "string" } }),
  RefusalPart: part("refusal", { refusal: { type: "string" } }),
  Part: {
    type: "object",
    discriminator: { propertyName: "type", mapping: { text: "#/components/schemas/TextPart" } },
    oneOf: [ref("TextPart"), ref("RefusalPart")],
  },
  UserMessage: message(
    "user",
    {
      content: {
        anyOf: [
          { title: "Text", type: "string" },
          { title: "Parts", type: "array", items: ref("Part") },
        ],
      },
    },
    ["content"],
  ),
  AssistantMessage: message("assistant", {
    content: { anyOf: [{ type: "string" }, { type: "array", items: ref("Part") }, { type: "null" }] },
    audio: { description: "Audio or null.", anyOf: [ref("Audio"), { type: "null" }] },
    calls: { anyOf: [{ type: "array", items: ref("Audio") }, { type: "null" }] },
  }),
  Audio: { type: "object", required: ["id"], properties: { id: { type: "string", examples: ["a"] } } },
  Message: {
    discriminator: { propertyName: "role", mapping: {} },
    oneOf: [ref("UserMessage"), ref("AssistantMessage")],
  },
  Choice: {
    type: "object",
    additionalProperties: true,
    required: ["finish_reason", "index", "message"],
    properties: {
      finish_reason: { type: "string", enum: ["stop", "length"] },
      index: { type: "integer" },
      message: ref("AssistantMessage"),
    },
  },
  MessageOrChoice: { description: "Either.", anyOf: [ref("Message"), ref("Choice")] },
  Conversation: {
    type: "object",
    required: ["items"],
    properties: { items: { type: "array", items: ref("MessageOrChoice") } },
  },
  Settings: {
    type: "object",
    additionalProperties: false,
    properties: {
      "x-rate": { type: "number", minimum: 0, maximum: 1 },
      title: { type: "string", minLength: 1, maxLength: 3 },
      size: { anyOf: [{ type: "integer", minimum: 1 }, { const: "auto" }, { type: "null" }] },
      rates: { anyOf: [{ type: "number" }, { type: "array", items: { type: "number" } }, { type: "null" }] },
      metrics: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "number" }, { type: "integer" }, { type: "boolean" }] },
      },
      order: { type: "string", enum: ["asc", "desc"] },
      mode: { anyOf: [{ type: "string", enum: ["none", "auto"] }, ref("Part")] },
      steps: { type: "array", minItems: 1, maxItems: 2, uniqueItems: true, items: { type: "integer" } },
      id: { type: "string", format: "uuid" },
      at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
      link: { type: "string", format: "uri" },
      name: { type: "string", pattern: "^[a-z]+$" },
      either: { anyOf: [ref("Audio"), { type: "object", required: ["key"], properties: { key: { type: "string" } } }] },
      below: { type: "number", exclusiveMaximum: 1 },
      flag: { type: "boolean" },
      tools: { oneOf: [{ type: "array", items: ref("Audio") }, { type: "null" }] },
    },
    not: { required: ["steps", "size"] },
  },
};
