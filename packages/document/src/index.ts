/**
 * Reads an OpenAPI 3.1 document with the contract's own keys: its operations, schemas, security and pagination, and the
 * meaning of each key. The generator, the servers, the comparison of contracts, lint and the site use it.
 *
 * @module
 */
export * from "./dialect.ts";
export { describeCondition, resendNeeds, resends, type Resend, type ResendRule } from "./resend.ts";
export * from "./answer-kinds.ts";
export { keyChangeOf, type Changes, type KeyChange, type KeyContext } from "./dialect-change.ts";
export { objectsIn } from "./objects.ts";
export * from "./schema/direction.ts";
export { deriveResend, deriveSchemaNames, type DerivedSchemaName } from "./derive.ts";
export { streamType, wantsStream } from "./derive-stream.ts";
export * from "./derived-facts.ts";
export * from "./digits.ts";
export { didYouMean, editDistance, nearest, plainName } from "./edit-distance.ts";
export { everySchema } from "./every-schema.ts";
export type { Extension, Holder, JsonSchema } from "./extension.ts";
export { withoutForeignWords, withoutKeys } from "./foreign-words.ts";
export { groupBy } from "./group.ts";
export { httpMethods, operationKeys, type HttpMethod } from "./http-method.ts";
export { formFields, type FormField } from "./form.ts";
export { formats } from "./formats.ts";
export {
  essenceOf,
  eventsOf,
  isLines,
  isJson,
  jsonOf,
  mediaFor,
  mediaKind,
  preferredMedia,
  sentType,
  typeName,
  type Media,
  type MediaKind,
} from "./media.ts";
export { camelCase, commonOptions, forbiddenMethodParts, methodPart, pascalCase, variableName } from "./names.ts";
export * from "./operation.ts";
export { announcedIn, announcements, lastingName, markSince, type Release, sinceOf } from "./announcements.ts";
export { locate, locateAll, locateIn, referredName, schemaName, type Located } from "./locate.ts";
export { isJoined, isSupported, separators, writeStyled, type Place, type Styled } from "./parameter-style.ts";
export { asOpenApi31, asOpenApi32 } from "./openapi-version.ts";
export { readDocument, type Document } from "./read-document.ts";
export { basisAt, describeRules, furtherRules, ownDescription, rulesIn } from "./rules.ts";
export { type Carrier, type Security, type SecurityScheme } from "./security.ts";
export { withTags } from "./schema/tags.ts";
export { kindsOf, shapeOf, type Shape } from "./shape.ts";
export {
  isWordless,
  onlyDescribes,
  sameValue,
  schemaKeywords,
  subschemas,
  typeOfKeyword,
  type Subschema,
} from "./schema/keywords.ts";
export { meaningOf } from "./schema/meaning.ts";
export * from "./schema/node.ts";
export { allowed, companions, ends, types } from "./schema/normal-form.ts";
export * from "./schema/parts.ts";
export { isOpen, restricted, schemaView, type SchemaView } from "./schema/view.ts";
export { unreadIn, unsupportedIn, type Unsupported } from "./unsupported.ts";
export { withoutProse } from "./without-prose.ts";
