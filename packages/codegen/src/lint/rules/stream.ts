import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import { contentsOf, followMember, isAlias, operationsOf } from "../document.ts";
import { nodeOf } from "../node.ts";
import type { Rule } from "../redocly.ts";
import { hasType, propertyOf } from "../schema.ts";

const { key } = dialect.stream;
const events = "text/event-stream";

/**
 * `x-stream` and a stream require each other: a boolean of the request enables it, JSON is the first media type of the
 * response, and the stream is a string whose `contentSchema` is the item.
 */
export const stream: Rule = () => ({
  Root(root, context) {
    for (const operation of operationsOf(root, context)) {
      const contents = contentsOf(operation, context);
      const value = operation.node[key];
      const location = operation.location.child(key);
      const streams = contents.filter(({ mediaType }) => mediaType === events);

      for (const { node, location: place } of streams) {
        const schema = nodeOf(node["schema"]);
        const isText = schema["type"] === "string" && typeof schema["contentMediaType"] === "string";
        if (!isText || !isObject(schema["contentSchema"])) {
          const message =
            "The schema of a stream must be `type: string` with a `contentMediaType` and, as `contentSchema`, the schema of one item. Change it to that form.";
          context.report({ message, location: place.child("schema").key() });
        }
      }
      if (value === undefined && streams.length > 0 && !isAlias(operation)) {
        const message = `The operation returns a stream. Add \`${key}\` with the property that requests it and the data that ends it.`;
        context.report({ message, location: operation.location.key() });
      }
      if (!isObject(value)) continue;

      const answers = contents.filter(({ of }) => of === "response 200").map(({ mediaType }) => mediaType);
      if (answers[0] !== "application/json" || !answers.includes(events)) {
        const message = `An operation that can stream must return 200 as \`application/json\` and as \`${events}\`. Declare both, in this order.`;
        context.report({ message, location: location.key() });
      }
      const body = contents.find(({ of, mediaType }) => of === "request" && mediaType === "application/json");
      const schema = body && followMember(body, "schema", context);
      const toggle = schema ? propertyOf(schema, String(value["toggle"]), context) : [];
      if (toggle.length === 0 || !toggle.every((each) => each && hasType(each.node, "boolean"))) {
        const message = `The request has no boolean \`${String(value["toggle"])}\`. Declare it, or name the property that requests a stream.`;
        context.report({ message, location: location.child("toggle") });
      }
    }
  },
});
