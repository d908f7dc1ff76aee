import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { extensions as known, type Extension } from "../extensions.ts";
import { nodeOf, sentenceList } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

interface Judge extends Extension {
  readonly fits: ValidateFunction;
}

const ajv = new Ajv2020();
const judges = new Map<string, Judge>(
  Object.entries(known).map(([key, extension]) => [key, { ...extension, fits: ajv.compile(extension.schema) }]),
);

/** Every `x-` key is one of ours, stands where it may and holds what it may. */
export const extensions: Rule = () => ({
  any(node, context) {
    // Maps have no keys of their own: in `headers`, `x-request-id` is a name.
    if (context.type.extensionsPrefix === undefined) return;
    for (const [key, value] of Object.entries(nodeOf(node))) judge(key, value, context.location, context);
  },
  ref(node, context) {
    for (const [key, value] of Object.entries(nodeOf(node))) {
      // `x-basis` beside a reference is for the rule `basis`.
      if (key !== "x-basis") judge(key, value, context.location, context);
    }
  },
});

function judge(key: string, value: unknown, holder: Place, context: Context): void {
  if (!key.startsWith("x-")) return;
  const location = holder.child(key);
  const extension = judges.get(key);
  if (!extension) {
    const message = `\`${key}\` is none of the contract's keys. Use ${sentenceList([...judges.keys()])}, or remove it.`;
    context.report({ message, location: location.key() });
  } else if (!extension.on.includes(context.type.name)) {
    const message = `\`${key}\` says nothing here. Move it to its ${extension.on.join(", ")}, or remove it.`;
    context.report({ message, location: location.key() });
  } else if (!extension.fits(value)) {
    context.report({ message: `\`${key}\` must be ${extension.mustBe}.`, location });
  } else if (key === "x-sensitive" && holder.pointer.split("/").at(-2) !== "properties") {
    const message = "`x-sensitive` marks a property. Move it to the property that holds this value.";
    context.report({ message, location: location.key() });
  }
}
