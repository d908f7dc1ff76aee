/** The rules of the contract's own keys, and of the dialect of schemas. */
import type { JsonObject } from "@trainyard/core/validation";
import { dialect, type Extension, extensions as known, nearest } from "@trainyard/document";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isReference, member, nodeOf } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

const { key: basisKey } = dialect.basis;

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
    const own = member(nodeOf(node), basisKey);
    if (own !== undefined) {
      rejectRepeats(node, location, own, context);
      return;
    }
    context.report({
      message: `${what} must name its source. Add \`${basisKey}: interface\`, \`adopted\` or \`proposed\`.`,
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
      if (Object.hasOwn(nodeOf(node), basisKey)) {
        context.report({
          message: `A \`$ref\` allows no other keys. Move \`${basisKey}\` to its target.`,
          location: context.location.child(basisKey).key(),
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
    const own = member(nodeOf(part), basisKey);
    if (own === inherited) {
      const message = `The parent already has the basis \`${String(inherited)}\`. Remove \`${basisKey}\`.`;
      context.report({ message, location: place.child(basisKey).key() });
    }
    rejectRepeats(part, place, own ?? inherited, context);
  }
}

const expected = "https://json-schema.org/draft/2020-12/schema";

/** Each document names the dialect of its schemas: without it the mock validates them as draft 07. */
export const schemaDialect: Rule = () => ({
  Root(root, context) {
    if (nodeOf(root)["jsonSchemaDialect"] === expected) return;
    const message = `A document must name the dialect of its schemas. Add \`jsonSchemaDialect: ${expected}\`.`;
    context.report({ message, location: context.location.child("jsonSchemaDialect") });
  },
});

interface Judge {
  readonly row: Extension;
  readonly fits: ValidateFunction;
}

const ajv = new Ajv2020();
const judges = new Map<string, Judge>([...known].map(([key, row]) => [key, { row, fits: ajv.compile(row.schema) }]));
const listed = new Intl.ListFormat("en-GB").format(judges.keys());

/** Every `x-` key is one of the contract's, at an allowed location, with a valid value. */
export const extensions: Rule = () => {
  const ids = new Map<string, Place>();
  return {
    any(node, context) {
      // The keys of maps are names: in `headers`, `x-request-id` is a name.
      if (context.type.extensionsPrefix === undefined) return;
      for (const [key, value] of Object.entries(nodeOf(node))) judgeKey(key, value, context.location, context);
      judgeIds(ids, nodeOf(node), context);
    },
    ref(node, context) {
      for (const [key, value] of Object.entries(nodeOf(node))) {
        // The rule `basis` checks `x-basis` beside a reference.
        if (key !== dialect.basis.key) judgeKey(key, value, context.location, context);
      }
    },
  };
};

/** Every rule for callers has its own id. A shared object is reached several times, always at the same location. */
function judgeIds(ids: Map<string, Place>, node: JsonObject, context: Context): void {
  for (const [index, { id }] of dialect.rules.read(node).entries()) {
    const location = context.location.child([dialect.rules.key, index, "id"]);
    const before = ids.get(id) ?? location;
    ids.set(id, before);
    if (id === "" || before.absolutePointer === location.absolutePointer) continue;
    const message = `Another rule has the id \`${id}\`. Choose an id of its own.`;
    context.report({ message, location: [location, before] });
  }
}

function judgeKey(key: string, value: unknown, holder: Place, context: Context): void {
  if (!key.startsWith("x-")) return;
  const location = holder.child(key);
  const judge = judges.get(key);
  if (!judge) {
    const message = `\`${key}\` is not one of the contract's keys. Use ${listed}, or remove it.`;
    const meant = nearest(key, judges.keys());
    context.report({ message, location: location.key(), ...(meant !== undefined && { suggest: [`\`${meant}\``] }) });
  } else if (!judge.row.on.some((holder) => holder === context.type.name)) {
    const message = `\`${key}\` has no effect here. Move it to its ${judge.row.on.join(", ")}, or remove it.`;
    context.report({ message, location: location.key() });
  } else if (!judge.fits(value)) {
    context.report({ message: `\`${key}\` must be ${judge.row.mustBe}.`, location });
  } else if (key === dialect.sensitive.key && holder.pointer.split("/").at(-2) !== "properties") {
    const message = `\`${key}\` is allowed only on a property. Move it to the property that has this value.`;
    context.report({ message, location: location.key() });
  }
}
