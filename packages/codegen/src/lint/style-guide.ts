/** Our lint rules as a Redocly plugin: the style guide of the documents. */
import type { Rule } from "./redocly.ts";
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
export function plugin(): { id: string; rules: { oas3: typeof rules } } {
  return { id: "trainyard", rules: { oas3: rules } };
}
