/** Our lint rules as a Redocly plugin: the style guide of the documents. */
import { dialect } from "@trainyard/document";
import { nodeOf } from "./node.ts";
import type { Rule, Visit, Visitor } from "./redocly.ts";
import { examples, pagination, stream, variantExamples } from "./rules/bodies.ts";
import { basis, extensions, schemaDialect } from "./rules/keys.ts";
import { aliasOf, clientMethod, clientOption, operationId, requiredResponses, resend } from "./rules/operations.ts";
import {
  discriminatorMapping,
  extensible,
  propertyDescription,
  requiredProperties,
  unionTitles,
} from "./rules/schemas.ts";
import { deprecation, descriptionStyle } from "./rules/texts.ts";
import { validExamples } from "./rules/valid-examples.ts";

/** Every rule by its name; `redocly.yaml` adds the prefix `trainyard/`. */
export const rules = {
  "alias-of": aliasOf,
  basis,
  "client-method": clientMethod,
  "client-option": clientOption,
  deprecation,
  "description-style": descriptionStyle,
  dialect: schemaDialect,
  "discriminator-mapping": discriminatorMapping,
  examples,
  extensible,
  extensions,
  "operation-id": operationId,
  pagination,
  "property-description": propertyDescription,
  "required-properties": requiredProperties,
  "required-responses": requiredResponses,
  resend,
  stream,
  "union-titles": unionTitles,
  "valid-examples": validExamples,
  "variant-examples": variantExamples,
} satisfies Record<string, Rule>;

/** The plugin in Redocly's form. */
export function plugin(): { id: string; rules: { oas3: Record<string, Rule> } } {
  const own = Object.entries(rules).map(([name, rule]) => [name, forOurs(rule)]);
  return { id: "trainyard", rules: { oas3: Object.fromEntries(own) } };
}

/** The rule for documents that name the dialect, right or wrong. In all others its keys are anybody's words. */
function forOurs(rule: Rule): Rule {
  return (options) => {
    let isOurs = false;
    const only =
      (visit: Visit | undefined): Visit =>
      (node, context, resolved) => {
        if (context.type.name === "Root") isOurs = Object.hasOwn(nodeOf(node), dialect.version.key);
        if (isOurs) visit?.(node, context, resolved);
      };
    const visitors: Visitor = { Root: {}, ...rule(options) };
    const own = Object.entries(visitors).map(([type, one]) => {
      const { enter, leave } = typeof one === "function" ? { enter: one, leave: undefined } : one;
      return [type, { enter: only(enter), leave: only(leave) }];
    });
    return Object.fromEntries(own);
  };
}
