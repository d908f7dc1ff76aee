import type { JsonObject } from "@trainyard/core/validation";
import { dialect, extensions as known, type Extension } from "@trainyard/document";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { nodeOf } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

interface Judge {
  readonly row: Extension;
  readonly fits: ValidateFunction;
}

const ajv = new Ajv2020();
const judges = new Map<string, Judge>([...known].map(([key, row]) => [key, { row, fits: ajv.compile(row.schema) }]));
const listed = new Intl.ListFormat("en-GB").format(judges.keys());

/** Every `x-` key is one of the contract's, at an allowed location, with a valid value. */
export const extensions: Rule = () => {
  const ids = new Map<string, string>();
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
function judgeIds(ids: Map<string, string>, node: JsonObject, context: Context): void {
  for (const [index, { id }] of dialect.rules.read(node).entries()) {
    const location = context.location.child([dialect.rules.key, index, "id"]);
    const before = ids.get(id);
    ids.set(id, before ?? location.absolutePointer);
    if (id === "" || before === undefined || before === location.absolutePointer) continue;
    context.report({ message: `Another rule has the id \`${id}\`. Choose an id of its own.`, location });
  }
}

function judgeKey(key: string, value: unknown, holder: Place, context: Context): void {
  if (!key.startsWith("x-")) return;
  const location = holder.child(key);
  const judge = judges.get(key);
  if (!judge) {
    const message = `\`${key}\` is not one of the contract's keys. Use ${listed}, or remove it.`;
    context.report({ message, location: location.key() });
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
