import { isWellFormed, unlistedMember } from "@trainyard/core/validation";
import {
  dialect,
  everySchema as schemasOfDocument,
  isWordless,
  locate,
  reach,
  referredName,
  schemaKeywords,
  schemaName,
  type Document,
} from "@trainyard/document";
import { childSchemas, type OpenApiDocument, resolve, type Schema, schemasOf } from "@trainyard/document/files";

/**
 * Removes what JSON Schema does not permit, which validators ignore, too, and writes `true` and `false` as schemas that are
 * objects. The two of `additionalProperties` have types of their own.
 */
export function tidySchemas(document: Pick<Document, "root" | "operations">): void {
  const { maps, lists } = schemaKeywords;
  const spell = (holder: object = {}): void => {
    for (const [key, value] of Object.entries(holder))
      if (typeof value === "boolean") Object.assign(holder, { [key]: value ? {} : { enum: [] } });
  };
  spell(locate(document.root, "#/components/schemas").node);
  for (const { node } of schemasOfDocument(document)) {
    for (const [key, value] of Object.entries(node)) if (!isWellFormed(key, value)) delete node[key];
    for (const key of [...maps, ...lists]) spell(Object(node[key]));
  }
}

/**
 * If a union contains discriminated kinds and one object without the discriminator, that object gets it as an optional
 * `never`: with `role?: never` in a choice, `x.role === undefined` narrows a message or choice.
 */
export function excludeDiscriminators(schemas: Record<string, Schema>): void {
  for (const { anyOf } of everySchema(schemas)) {
    const members = anyOf?.map((member) => resolve(schemas, member)) ?? [];
    const property = members.find((member) => member.discriminator !== undefined)?.discriminator?.propertyName;
    if (property === undefined) continue;
    for (const member of members) {
      if (member.discriminator !== undefined || member.properties === undefined) continue;
      if (member.properties[property] === undefined) member.properties[property] = { "x-never": true };
    }
  }
}

/**
 * Adds to each open union a member that represents all unlisted ones: a kind with the properties that all kinds share, such as
 * `UnlistedTrainingJobEvent`.
 */
export function openUnions(schemas: Record<string, Schema>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if (!dialect.extensible.read(schema) || schema.oneOf === undefined) continue;
    const kind = unlistedMember(schema, (reference) => schemas[schemaName(reference) ?? ""]);
    const properties: Record<string, Schema> = { ...Object(kind["properties"]) };
    const tag = schema.discriminator?.propertyName ?? "";
    properties[tag] = { ...properties[tag], "x-unlisted": true };
    schemas[`Unlisted${name}`] = {
      ...kind,
      properties,
      description: `A kind of \`${name}\` that the contract does not list. Ignore it.`,
    };
    schema.oneOf = [...schema.oneOf, { $ref: `#/components/schemas/Unlisted${name}` }];
  }
}

/**
 * Marks open enumerations, drops discriminators, because TypeScript narrows by the literals in the branches, and closes each
 * object to its declared properties. Undeclared ones, which the documents permit and the validators keep, are left out of the
 * types: with them a misspelled name compiles, `"role" in x` does not narrow, and no `@default` shows.
 */
export function closeSchemas(schemas: Record<string, Schema>): void {
  for (const schema of everySchema(schemas)) {
    const { properties, additionalProperties } = schema;
    if (dialect.extensible.read(schema) && schema.enum !== undefined) schema["x-unlisted"] = true;
    delete schema.discriminator;
    const isMap = Object.keys(properties ?? {}).length === 0;
    if (!isMap && (additionalProperties === false || isWordless(additionalProperties)))
      delete schema.additionalProperties;
  }
}

/** Values that types accept in addition to the enumeration of a property, by schema and property: `ImageUrl.detail`. */
export type TypesAccept = Readonly<Record<string, readonly string[]>>;

/** Adds values of other libraries' types to the enumerations of properties, and documents that the service rejects them. */
export function widenEnumerations(schemas: Record<string, Schema>, accepted: TypesAccept): void {
  for (const [place, values] of Object.entries(accepted)) {
    const [name = "", property = ""] = place.split(".");
    const schema = schemas[name]?.properties?.[property];
    if (schema === undefined) continue;
    schema.enum = [...(schema.enum ?? []), ...values];
    const names = values.map((value) => `\`${value}\``).join(", ");
    schema.description = `${schema.description ?? ""} The type also accepts ${names}, as other libraries' types do; the service rejects it.`;
  }
}

/** A discriminator as data: each kind with the literal that its schema must require, and what is wrong with it. */
export function discriminatorFaults(document: OpenApiDocument): { pointer: string[]; message: string; cure: string }[] {
  const schemas = schemasOf(document);
  return Object.entries(schemas).flatMap(([name, { discriminator, oneOf = [] }]) => {
    // Without a mapping, the values are the names of the schemas, as OpenAPI says.
    if (discriminator?.mapping === undefined) return [];
    const { propertyName, mapping } = discriminator;
    const values = new Map(Object.entries(mapping).map(([value, ref]) => [schemaName(ref), value]));
    return oneOf.flatMap((branch) => {
      const member = referredName(branch);
      const value = member === undefined ? undefined : values.get(member);
      if (member === undefined || value === undefined) {
        const cure = `Make each branch a $ref, and write in \`mapping\` its value of ${propertyName}.`;
        const message = `The discriminator of ${name} is ${propertyName}, but its mapping lacks ${member ?? "a branch"}.`;
        return [{ pointer: ["components", "schemas", name, "discriminator"], message, cure }];
      }
      const property = schemas[member]?.properties?.[propertyName];
      const literal = property?.const ?? (property?.enum?.length === 1 ? property.enum[0] : undefined);
      if (literal === value && schemas[member]?.required?.includes(propertyName) === true) return [];
      const cure = `Write \`${propertyName}: {type: string, const: ${value}}\` in ${member}, and list it as required.`;
      const message = `${name} reads a ${propertyName} "${value}" as ${member}, which does not require that value.`;
      return [{ pointer: ["components", "schemas", member, "properties", propertyName], message, cure }];
    });
  });
}

/** The schemas of components and those within them, without those to which they refer. */
export function everySchema(schemas: Record<string, Schema>): Schema[] {
  return reach(Object.values(schemas), childSchemas);
}
