import { dialect } from "@trainyard/document";
import { isReference, member, nodeOf } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

const { key } = dialect.basis;

/** Shared elements that must state their basis, because the reader of a reference finds it nowhere else. */
const shared = new Map([
  ["Schema", "A component schema"],
  ["Parameter", "A shared parameter"],
  ["Response", "A shared response"],
]);

/** Members whose values are data, not parts of the document. */
const values = new Set(["example", "examples", "default", "const", "enum"]);

/**
 * `x-basis` is required on every operation and on every target of a reference, allowed below only if it differs, and never
 * beside a reference. The rule `extensions` checks its form.
 */
export const basis: Rule = () => {
  const judged = new Set<string>();

  function require(what: string, node: unknown, location: Place, context: Context): void {
    if (judged.has(location.absolutePointer)) return;
    judged.add(location.absolutePointer);
    const own = member(nodeOf(node), key);
    if (own !== undefined) {
      rejectRepeats(node, location, own, context);
      return;
    }
    context.report({
      message: `${what} must name its source. Add \`${key}: interface\`, \`adopted\` or \`proposed\`.`,
      location: location.key(),
    });
  }

  return {
    Operation(node, context) {
      require("An operation", node, context.location, context);
    },
    NamedSchemas(node, context) {
      for (const [name, schema] of Object.entries(nodeOf(node))) {
        if (!isReference(schema)) require("A component schema", schema, context.location.child(name), context);
      }
    },
    ref(node, context, target) {
      if (Object.hasOwn(nodeOf(node), key)) {
        context.report({
          message: `A \`$ref\` allows no other keys. Move \`${key}\` to its target.`,
          location: context.location.child(key).key(),
        });
      }
      const what = shared.get(context.type.name);
      if (what && target.location) require(what, target.node, target.location, context);
    },
  };
};

/** Below, only differences are marked: otherwise the list of facts that are not `interface` would be redundant. */
function rejectRepeats(node: unknown, location: Place, inherited: unknown, context: Context): void {
  if (typeof node !== "object" || node === null || isReference(node)) return;
  for (const [name, part] of Object.entries(node)) {
    if (values.has(name)) continue;
    const place = location.child(name);
    const own = member(nodeOf(part), key);
    if (own === inherited) {
      const message = `The parent already has the basis \`${String(inherited)}\`. Remove \`${key}\`.`;
      context.report({ message, location: place.child(key).key() });
    }
    rejectRepeats(part, place, own ?? inherited, context);
  }
}
