/** The rules of schemas: properties, unions and open sets. */
import { isObject } from "@trainyard/core/validation";
import { dialect, nearest, subschemas } from "@trainyard/document";
import { contentsOf, follow, followAll, followList, followMember, type Found, operationsOf } from "../document.ts";
import { isReference, listOf, member, nodeOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";
import { directParts, isUnion, partsOf, unionOf } from "../schema.ts";

/**
 * A discriminator requires `type: object` and `oneOf`; each branch requires the property with a constant, and the mapping
 * maps each constant to its branch. Otherwise generators use the schema's name as the constant, and validators accept
 * arrays.
 */
export const discriminatorMapping: Rule = () => ({
  Schema(schema, context) {
    const union: Found = { node: nodeOf(schema), location: context.location };
    const discriminator = union.node["discriminator"];
    if (!isObject(discriminator)) return;
    const place = union.location.child("discriminator");
    const property = String(discriminator["propertyName"]);

    if (union.node["type"] !== "object") {
      const message = "A discriminator reads a property, so it cannot apply to an array. Add `type: object`.";
      context.report({ message, location: place.key() });
    }
    const branches = followList(union, "oneOf", context);
    if (branches.length === 0) {
      const message = "A discriminator requires `oneOf`. List the branches there.";
      context.report({ message, location: place.key() });
    }

    const mapping = new Map(Object.entries(nodeOf(discriminator["mapping"])));
    for (const branch of branches) {
      const declared = followAll(branch, "properties", context).get(property);
      const constant = declared?.node["const"];
      if (typeof constant !== "string" || !listOf(branch.node["required"]).includes(property)) {
        const message = `A branch of a discriminator must require \`${property}\` and give it a \`const\`. Add what is missing.`;
        context.report({ message, location: branch.location.key(), from: place });
        continue;
      }
      const mapped = mapping.get(constant);
      const target = follow({ $ref: mapped }, place, context);
      if (target?.location.absolutePointer !== branch.location.absolutePointer) {
        const message = `The mapping does not map \`${constant}\` to its branch. Add \`${constant}\` with a reference to that branch.`;
        context.report({ message, location: place.child(mapped === undefined ? "mapping" : ["mapping", constant]) });
      }
      mapping.delete(constant);
    }
    for (const name of mapping.keys()) {
      const message = `No branch has \`${property}: ${name}\`. Remove \`${name}\` from the mapping, or add the branch to \`oneOf\`.`;
      context.report({ message, location: place.child(["mapping", name]).key() });
    }
  },
});

const { key: extensibleKey } = dialect.extensible;

/**
 * An open set is an enumeration of strings or a discriminated union in a response: readers ignore members that it does not
 * list. Values in requests are always validated against the list.
 */
export const extensible: Rule = () => {
  const answered = new Set<string>();
  return {
    Root(root, context) {
      for (const operation of operationsOf(root, context)) {
        for (const content of contentsOf(operation, context)) {
          if (content.of === "request") continue;
          const schema = followMember(content, "schema", context);
          if (schema) reach(schema, answered, context);
        }
      }
    },
    Schema(schema, context) {
      const node = nodeOf(schema);
      if (!Object.hasOwn(node, extensibleKey)) return;
      const location = context.location.child(extensibleKey).key();
      const values = listOf(node["enum"]);
      const isNamed = values.some((value) => typeof value === "string");
      const isEnumeration = isNamed && values.every((value) => typeof value === "string" || value === null);
      if (!isEnumeration && !(Array.isArray(node["oneOf"]) && isObject(node["discriminator"]))) {
        const message = `\`${extensibleKey}\` is allowed only on an enumeration of strings, or on a union with a discriminator. Move it there, or remove it.`;
        context.report({ message, location });
      } else if (!answered.has(context.location.absolutePointer)) {
        const message = `\`${extensibleKey}\` is only for responses, and no response uses this schema. Remove it.`;
        context.report({ message, location });
      }
    },
  };
};

/** Visits a schema and all its references. */
function reach({ node, location }: Found, seen: Set<string>, context: Context): void {
  if (seen.has(location.absolutePointer)) return;
  seen.add(location.absolutePointer);
  for (const { keys, schema } of subschemas({ ...node })) {
    const found = follow(schema, location.child(keys), context);
    if (found) reach(found, seen, context);
  }
}

const intersection: ReadonlySet<unknown> = new Set(["allOf"]);

/** Each name in `required` is declared by the schema, or by one that applies to the same value. */
export const requiredProperties: Rule = () => {
  const declared = new Set<string>();
  const complaints = new Map<string, () => void>();

  /** @param outer the names that the schemas around it declare, of whose other variants it knows nothing */
  function judge(schema: Found, outer: readonly string[], context: Context): void {
    const namesIn = (keywords?: ReadonlySet<unknown>): string[] =>
      [...partsOf(schema, context, keywords)].flatMap(({ node }) => Object.keys(nodeOf(member(node, "properties"))));
    const names = [...outer, ...namesIn()];
    for (const [index, name] of listOf(schema.node["required"]).entries()) {
      const location = schema.location.child(["required", index]);
      if (typeof name !== "string" || names.includes(name)) declared.add(location.absolutePointer);
      else {
        const message = `\`required\` names \`${name}\`, which is not declared. Declare it below \`properties\`, or correct the name.`;
        const meant = nearest(name, names);
        const suggest = meant === undefined ? [] : [`\`${meant}\``];
        complaints.set(location.absolutePointer, () => context.report({ message, location, suggest }));
      }
    }
    const certain = [...outer, ...namesIn(intersection)];
    for (const [keyword, part] of directParts(schema, context))
      judge(part, keyword === "allOf" ? names : certain, context);
  }

  const visit = (node: unknown, context: Context): void =>
    judge({ node: nodeOf(node), location: context.location }, [], context);
  return {
    Schema: visit,
    ref(node, context) {
      if (context.type.name === "Schema") visit(node, context);
    },
    Root: {
      leave() {
        for (const [place, report] of complaints) if (!declared.has(place)) report();
      },
    },
  };
};

/** Properties in a condition, which are declared elsewhere. */
const condition = /(?<!\/properties)\/(?:not|if|then|else)\/properties$/;

/** Every property has a description or a rule for callers, inline or at its reference's target. */
export const propertyDescription: Rule = () => ({
  SchemaProperties(properties, context) {
    if (condition.test(context.location.pointer)) return;
    for (const [name, property] of Object.entries(nodeOf(properties))) {
      const location = context.location.child(name);
      const target = isReference(property) ? follow(property, location, context)?.node : undefined;
      const texts = [nodeOf(property), target ?? {}].flatMap((node) => [
        member(node, "description"),
        member(node, dialect.rules.key),
      ]);
      if (texts.some((text) => text !== undefined)) continue;
      const message = `\`${name}\` has no description. Describe it in a sentence, with its unit.`;
      context.report({ message, location: location.key() });
    }
  },
});

/**
 * Each variant of a union has a unique title, and the union has none: references label every variant with the union's. A
 * variant that is itself a union is shown by its own variants.
 */
export const unionTitles: Rule = () => ({
  Schema(schema, context) {
    const node = nodeOf(schema);
    if (!isUnion(node)) return;
    if (Object.hasOwn(node, "title")) {
      const message = "The title of a union hides those of its variants. Remove it, and give each variant a title.";
      context.report({ message, location: context.location.child("title").key() });
    }
    const titles = new Set<unknown>();
    for (const variant of unionOf({ node, location: context.location }, context)) {
      const { title } = variant.node;
      if (typeof title !== "string" || title.trim() === "") {
        if (isUnion(variant.node)) continue;
        const message =
          "A variant of a union must have a title, under which it is shown. Add a `title` of one or two words.";
        context.report({ message, location: variant.location, from: context.location });
      } else if (titles.has(title)) {
        const message = `Two variants of the union are called \`${title}\`. Give this one another title.`;
        context.report({ message, location: variant.location.child("title"), from: context.location });
      }
      titles.add(title);
    }
  },
});
