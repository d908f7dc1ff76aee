import { unlistedMember } from "@trainyard/core/validation";
import { dialect, schemaName } from "@trainyard/document";
import { childSchemas, nameOf, resolve, schemasOf, type OpenApiDocument, type Schema } from "./document.ts";

/**
 * Makes of each object what people may write. Undeclared properties, which the documents permit and the validators keep,
 * are left out: with them a misspelt name compiles, `"role" in x` does not narrow, and no `@default` shows.
 */
export function closeObjects(schemas: Record<string, Schema>): void {
  for (const schema of everySchema(schemas)) {
    const { properties, additionalProperties } = schema;
    if (properties === undefined || Object.keys(properties).length === 0) continue;
    const open = additionalProperties === true || isEmptyObject(additionalProperties);
    if (open || additionalProperties === false) delete schema.additionalProperties;
  }
}

/**
 * Where a union holds kinds told apart by a property, and one object beside them that lacks it, that object says so:
 * with `role?: never` in a choice, `x.role === undefined` narrows a message or choice.
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
 * Gives each open set a member that stands for all that it does not list: an enumeration a value, a union a kind of its own with
 * what all kinds have in common, `UnlistedTrainingJobEvent`.
 */
export function openSets(schemas: Record<string, Schema>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if (!dialect.extensible.read(schema) || schema.oneOf === undefined) continue;
    const kind = unlistedMember(schema, (reference) => schemas[schemaName(reference) ?? ""]);
    const properties: Record<string, Schema> = { ...Object(kind["properties"]) };
    const tag = schema.discriminator?.propertyName ?? "";
    properties[tag] = { ...properties[tag], "x-unlisted": true };
    schemas[`Unlisted${name}`] = {
      ...kind,
      properties,
      description: `A kind of \`${name}\` that the contract does not list. Pass over it.`,
    };
    schema.oneOf = [...schema.oneOf, { $ref: `#/components/schemas/Unlisted${name}` }];
  }
  for (const schema of everySchema(schemas)) {
    if (dialect.extensible.read(schema) && schema.enum !== undefined) schema["x-unlisted"] = true;
  }
}

/** Adds what `x-types-accept` names to the enumeration that people may write, and says that the service refuses it. */
export function widenEnumerations(schemas: Record<string, Schema>): void {
  for (const schema of everySchema(schemas)) {
    const values = dialect.typesAccept.read(schema);
    if (values.length === 0) continue;
    schema.enum = [...(schema.enum ?? []), ...values];
    const names = values.map((value) => `\`${value}\``).join(", ");
    schema.description = `${schema.description ?? ""} The type takes ${names} too, as other libraries' types do; the service refuses it.`;
  }
}

/** A discriminator as data: each kind with the literal that its own schema must have, and what is wrong about it. */
export function discriminatorFaults(document: OpenApiDocument): { pointer: string[]; message: string; cure: string }[] {
  const schemas = schemasOf(document);
  return Object.entries(schemas).flatMap(([name, { discriminator, oneOf = [] }]) => {
    if (discriminator === undefined) return [];
    const { propertyName, mapping = {} } = discriminator;
    const values = new Map(Object.entries(mapping).map(([value, ref]) => [schemaName(ref), value]));
    return oneOf.flatMap((branch) => {
      const member = nameOf(branch);
      const value = member === undefined ? undefined : values.get(member);
      if (member === undefined || value === undefined) {
        const cure = `Make each branch a $ref, and write in \`mapping\` its value of ${propertyName}.`;
        const message = `${name} is told apart by ${propertyName}, and its mapping lacks ${member ?? "a branch"}.`;
        return [{ pointer: ["components", "schemas", name, "discriminator"], message, cure }];
      }
      const property = schemas[member]?.properties?.[propertyName];
      const literal = property?.const ?? (property?.enum?.length === 1 ? property.enum[0] : undefined);
      if (literal === value && schemas[member]?.required?.includes(propertyName) === true) return [];
      const cure = `Write \`${propertyName}: {type: string, const: ${value}}\` in ${member}, and list it as required.`;
      const message = `${name} reads a ${propertyName} "${value}" as ${member}, which does not require just that value.`;
      return [{ pointer: ["components", "schemas", member, "properties", propertyName], message, cure }];
    });
  });
}

/** A discriminator is for the validators: the literals in its branches already tell TypeScript all of it. */
export function dropDiscriminators(schemas: Record<string, Schema>): void {
  for (const schema of everySchema(schemas)) delete schema.discriminator;
}

export function everySchema(schemas: Record<string, Schema>): Schema[] {
  const below = (schema: Schema): Schema[] => [schema, ...childSchemas(schema).flatMap(below)];
  return Object.values(schemas).flatMap(below);
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
