import { isObject, joinPointer, pointerTokens } from "@trainyard/core/validation";
import { deriveSchemaNames, pascalCase, readDocument, schemaName, type DerivedSchemaName } from "@trainyard/document";
import { schemasOf, type OpenApiDocument } from "./document.ts";
import { nameInlineSchemas } from "./inline-schemas.ts";
import { coreExports } from "./name-faults.ts";
import { reservedWords } from "./names.ts";

/** Global types that generated code uses. */
const ambient =
  "Array ArrayBuffer AsyncIterable Blob Exclude Extract NonNullable Omit Parameters Partial Pick Promise ReadableStream " +
  "Readonly ReadonlyArray Record Required ReturnType Uint8Array any bigint boolean never null number object string symbol " +
  "undefined unknown void";

/** Other names in generated files: of types, of what modules declare, and of type parameters. */
const generated =
  "Alike As Expect Held HttpClient HttpResult S Same Sent Table WithRequired client components contractVersion operations " +
  "paths schema service webhooks";

/** A document whose schemas all have the names of their types. */
export interface NamedDocument {
  readonly document: OpenApiDocument;
  /** The components whose types have another name. */
  readonly renamed: ReadonlyMap<string, DerivedSchemaName>;
}

/** Gives each schema of a bundle the name of its type, also the inline ones. The bundle itself does not change. */
export function nameSchemas(service: string, published: OpenApiDocument): NamedDocument {
  const reserved = reservedNames(service, published);
  const renamed = deriveSchemaNames(Object.keys(schemasOf(published)), reserved);
  const document = renamed.size === 0 ? published : rename(published, renamed);
  return { document: nameInlineSchemas(document, reserved), renamed };
}

/** The names that no schema can have, each with the reason. */
function reservedNames(service: string, published: OpenApiDocument): ReadonlyMap<string, string> {
  const client = `${pascalCase(service)}Client`;
  const other = "has the same name as";
  const ofOperations = readDocument(published).operations.flatMap(({ name }): [string, string][] => {
    const parts = name.split(".");
    const groups = parts.map((_, index) => parts.slice(0, index).join(".")).slice(1);
    return [
      [`${pascalCase(name)}Query`, `${other} the type of the query of ${name}`],
      ...groups.map((group): [string, string] => [
        `${pascalCase(group)}Methods`,
        `${other} the type of the methods ${group}.*`,
      ]),
    ];
  });
  const rows: readonly (readonly [reason: string, names: Iterable<string>])[] = [
    ["has the name of a member of every object", Object.getOwnPropertyNames(Object.prototype)],
    ["has the name of a word of TypeScript", reservedWords],
    ["has the name of a type of TypeScript itself", ambient.split(" ")],
    ["has the name of an export of @trainyard/core", coreExports()],
    [`${other} other generated code`, generated.split(" ")],
    [`${other} the type of the client`, [client, `${client}Options`, `create${client}`]],
  ];
  return new Map([
    ...rows.flatMap(([reason, names]) => [...names].map((name) => [name, reason] as const)),
    ...ofOperations,
  ]);
}

/** A copy whose components have other names, as everything that refers to them. */
function rename(document: OpenApiDocument, renamed: NamedDocument["renamed"]): OpenApiDocument {
  const place = "#/components/schemas";
  const refer = (target: string): string => {
    const name = schemaName(joinPointer("#", ...pointerTokens(target).slice(0, 3)));
    const own = name === undefined ? undefined : renamed.get(name)?.name;
    return own === undefined ? target : joinPointer(place, own, ...pointerTokens(target).slice(3));
  };
  const copyOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copyOf);
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
    if (typeof value["$ref"] === "string") copy["$ref"] = refer(value["$ref"]);
    const { discriminator, oneOf, anyOf } = value;
    if (isObject(discriminator) && typeof discriminator["propertyName"] === "string") {
      // Without a mapping, its values are the names that the components had.
      const branches = [oneOf ?? anyOf ?? []].flat().flatMap((branch) => {
        const name = isObject(branch) && typeof branch["$ref"] === "string" ? schemaName(branch["$ref"]) : undefined;
        return name === undefined ? [] : [[name, joinPointer(place, name)]];
      });
      const written = isObject(discriminator["mapping"]) ? Object.entries(discriminator["mapping"]) : branches;
      const mapping = written.map(([tag, target]) => {
        const given = String(target);
        return [tag, refer(renamed.has(given) ? joinPointer(place, given) : given)];
      });
      copy["discriminator"] = { ...discriminator, mapping: Object.fromEntries(mapping) };
    }
    return copy;
  };
  const { components = {}, ...rest } = document;
  const schemas = Object.entries(schemasOf(document)).map(([name, schema]) => [
    renamed.get(name)?.name ?? name,
    copyOf(schema),
  ]);
  const others = Object.entries(components).filter(([section]) => section !== "schemas");
  return Object.assign(Object(copyOf(rest)), {
    components: { ...Object(copyOf(Object.fromEntries(others))), schemas: Object.fromEntries(schemas) },
  });
}
