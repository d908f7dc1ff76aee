/** Our lint rules as a Redocly plugin: the style guide of the documents. */
import type { Rule } from "./redocly.ts";
import { aliasOf } from "./rules/alias-of.ts";
import { basis } from "./rules/basis.ts";
import { clientMethod } from "./rules/client-method.ts";
import { clientOption } from "./rules/client-option.ts";
import { deprecation } from "./rules/deprecation.ts";
import { descriptionStyle } from "./rules/description-style.ts";
import { dialect } from "./rules/dialect.ts";
import { discriminatorMapping } from "./rules/discriminator-mapping.ts";
import { examples } from "./rules/examples.ts";
import { extensible } from "./rules/extensible.ts";
import { extensions } from "./rules/extensions.ts";
import { operationId } from "./rules/operation-id.ts";
import { pagination } from "./rules/pagination.ts";
import { propertyDescription } from "./rules/property-description.ts";
import { requiredResponses } from "./rules/required-responses.ts";
import { resend } from "./rules/resend.ts";
import { stream } from "./rules/stream.ts";
import { unionTitles } from "./rules/union-titles.ts";
import { validExamples } from "./rules/valid-examples.ts";
import { variantExamples } from "./rules/variant-examples.ts";

/** Every rule by its name; `redocly.yaml` adds the prefix `trainyard/`. */
export const rules = {
  "alias-of": aliasOf,
  basis,
  "client-method": clientMethod,
  "client-option": clientOption,
  deprecation,
  "description-style": descriptionStyle,
  dialect,
  "discriminator-mapping": discriminatorMapping,
  examples,
  extensible,
  extensions,
  "operation-id": operationId,
  pagination,
  "property-description": propertyDescription,
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
