/** The rules of what operations send and return: pages, streams and examples. */
import { isObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import {
  contentsOf,
  followAll,
  followMember,
  type Found,
  isAlias,
  nameOf,
  type Operation,
  operationsOf,
  eachOperation,
  requestSchemaOf,
} from "../document.ts";
import { eventsOf, listOf, member, nodeOf, parseJson } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";
import { hasType, itemsOf, propertyOf } from "../schema.ts";

const placeholder = /^(string|default|sample|value|test|foo|example)?[-_ ]?(example|value)?[-_ ]?\d*$/i;

/** Each body of a request or response has examples with a name and a summary of their case. */
export const examples: Rule = () => ({
  Root(root, context) {
    const judged = new Set<string>();
    for (const operation of operationsOf(root, context)) {
      for (const content of contentsOf(operation, context)) {
        if (judged.has(content.location.absolutePointer)) continue;
        judged.add(content.location.absolutePointer);

        if (Object.hasOwn(content.node, "example")) {
          const message = "An example must have a name. Move it to `examples`.";
          context.report({ message, location: content.location.child("example").key() });
        }
        const named = followAll(content, "examples", context);
        if (named.size === 0) {
          const message = `The ${content.of} of ${nameOf(operation)} has no example of ${content.mediaType}. Add a named example to \`examples\`.`;
          context.report({ message, location: content.location.key() });
        }
        for (const [name, example] of named) {
          if (placeholder.test(name)) {
            const message = `\`${name}\` does not describe the case. Name the example after what it shows.`;
            context.report({ message, location: content.location.child(["examples", name]).key() });
          }
          if (judged.has(example.location.absolutePointer)) continue;
          judged.add(example.location.absolutePointer);
          const summary = member(example.node, "summary");
          if (typeof summary !== "string" || placeholder.test(summary.trim())) {
            const message =
              "An example must have a `summary` that describes its case. Write one by which readers can choose the example.";
            context.report({ message, location: example.location.child("summary") });
          }
          for (const place of placeholders(member(example.node, "value"), example.location.child("value"))) {
            const message = 'The value "string" is a placeholder. Write a realistic value.';
            context.report({ message, location: place });
          }
        }
      }
    }
  },
});

/** Where a value is "string"; as a `type` it belongs to the schema of a tool. */
function placeholders(value: unknown, location: Place): Place[] {
  if (value === "string") return [location];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "type" ? [] : placeholders(each, location.child(key)),
  );
}

const { key: paginationKey } = dialect.pagination;

/** The names in `x-pagination` exist: the query parameter, the flag of the response, and the property of each item. */
export const pagination: Rule = eachOperation((operation, context) => {
  const value = operation.node[paginationKey];
  if (!isObject(value)) return;
  const { cursor, item, more } = value;
  const location = operation.location.child(paginationKey);

  if (!operation.parameters.some(({ node }) => node["in"] === "query" && node["name"] === cursor)) {
    const message = `The operation has no query parameter \`${String(cursor)}\`. Declare it, or name the parameter for the cursor.`;
    context.report({ message, location: location.child("cursor") });
  }
  const page = pageOf(operation, context);
  if (!page) {
    const message = contentOf(operation, context)
      ? "The page has no schema. Declare it below `application/json`: `schema: { $ref: ../schemas/… }`."
      : `A page must be a JSON response with status 200. Declare it, or remove \`${paginationKey}\`.`;
    context.report({ message, location: location.key() });
    return;
  }
  const flag = propertyOf(page, String(more), context);
  if (!flag.every((each) => each && hasType(each.node, "boolean")) || !isRequired(page, more)) {
    const message = `The response has no required boolean \`${String(more)}\`. Declare it, or name the property that says whether there are more pages.`;
    context.report({ message, location: location.child("more") });
  }
  const [data] = propertyOf(page, "data", context);
  const items = data && itemsOf(data, context);
  if (!items || !isRequired(page, "data")) {
    const message = `The response has no required array \`data\` for its items. Declare it, or remove \`${paginationKey}\`.`;
    context.report({ message, location: location.key() });
    return;
  }
  if (propertyOf(items, String(item), context).includes(undefined)) {
    const message = `Some items of \`data\` have no \`${String(item)}\`. Name the property that is the cursor.`;
    context.report({ message, location: location.child("item") });
  }
});

function contentOf(operation: Operation, context: Context): Found | undefined {
  const response = followAll(operation, "responses", context).get("200");
  return response && followAll(response, "content", context).get("application/json");
}

function pageOf(operation: Operation, context: Context): Found | undefined {
  const content = contentOf(operation, context);
  return content && followMember(content, "schema", context);
}

function isRequired(schema: Found, name: unknown): boolean {
  return listOf(schema.node["required"]).includes(name);
}

const { key: streamKey } = dialect.stream;

const events = "text/event-stream";

/**
 * `x-stream` and a stream require each other: a boolean of the request enables it, JSON is the first media type of the
 * response, and the stream is a string whose `contentSchema` is the item.
 */
export const stream: Rule = eachOperation((operation, context) => {
  const contents = contentsOf(operation, context);
  const value = operation.node[streamKey];
  const location = operation.location.child(streamKey);
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
    const message = `The operation returns a stream. Add \`${streamKey}\` with the property that requests it and the data that ends it.`;
    context.report({ message, location: operation.location.key() });
  }
  if (!isObject(value)) return;

  const answers = contents.filter(({ of }) => of === "response 200").map(({ mediaType }) => mediaType);
  if (answers[0] !== "application/json" || !answers.includes(events)) {
    const message = `An operation that can stream must return 200 as \`application/json\` and as \`${events}\`. Declare both, in this order.`;
    context.report({ message, location: location.key() });
  }
  const schema = requestSchemaOf(operation, context);
  const toggle = schema ? propertyOf(schema, String(value["toggle"]), context) : [];
  if (toggle.length === 0 || !toggle.every((each) => each && hasType(each.node, "boolean"))) {
    const message = `The request has no boolean \`${String(value["toggle"])}\`. Declare it, or name the property that requests a stream.`;
    context.report({ message, location: location.child("toggle") });
  }
});

/**
 * Each variant of an extensible union, such as a kind of event, occurs in an example of a response. Otherwise the mock never
 * returns it, and readers of the reference never see it.
 */
export const variantExamples: Rule = () => {
  /** The string properties in all examples, as `type: training_ended`. */
  const shown = new Set<string>();
  return {
    Root(root, context) {
      for (const operation of operationsOf(root, context)) {
        for (const content of contentsOf(operation, context)) {
          if (content.of === "request") continue;
          for (const example of followAll(content, "examples", context).values()) {
            const value = member(example.node, "value");
            const isStream = content.mediaType === "text/event-stream" && typeof value === "string";
            for (const one of isStream ? eventsOf(value).parts.map(parseJson) : [value]) collect(one, shown);
          }
        }
      }
    },
    Schema(schema, context) {
      const { discriminator, [dialect.extensible.key]: isExtensible } = nodeOf(schema);
      if (isExtensible !== true || !isObject(discriminator)) return;
      const name = String(discriminator["propertyName"]);
      for (const tag of Object.keys(nodeOf(discriminator["mapping"]))) {
        if (shown.has(`${name}: ${tag}`)) continue;
        const message = `No example of a response has \`${name}: ${tag}\`. Add one, so that the mock and the reference show it.`;
        context.report({ message, location: context.location.child(["discriminator", "mapping", tag]).key() });
      }
    },
  };
};

function collect(value: unknown, shown: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === "string") shown.add(`${key}: ${each}`);
    else collect(each, shown);
  }
}
