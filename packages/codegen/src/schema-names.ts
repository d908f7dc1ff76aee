import { joinPointer } from "@trainyard/core/validation";
import {
  deriveSchemaNames,
  pascalCase,
  type DerivedSchemaName,
  type Document,
  type Operation,
  withoutForeignWords,
  withTags,
} from "@trainyard/document";
import { type OpenApiDocument, renameComponents, schemasOf } from "@trainyard/document/files";
import { splitDirections } from "./directions.ts";
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
  "Alike As Expect Held HttpClient HttpResult S Same Sent Table client components contractVersion operations " +
  "paths schema service webhooks";

/** A document whose schemas all have the names of their types. */
export interface NamedDocument {
  readonly document: OpenApiDocument;
  /** The components whose types have another name. */
  readonly renamed: ReadonlyMap<string, DerivedSchemaName>;
  /** The types that components have in requests, which require other properties, by pointer: `UserWrite`. */
  readonly split: ReadonlyMap<string, string>;
}

/** Keys that the steps of the generator give to each other. */
const marks: ReadonlySet<string> = new Set(["x-blob", "x-never", "x-readonly", "x-since", "x-some", "x-unlisted"]);

/** Gives each schema of a bundle the name of its type, also the inline ones. The bundle itself does not change. */
export function nameSchemas(
  service: string,
  bundle: OpenApiDocument,
  { operations }: Pick<Document, "operations">,
): NamedDocument {
  // Before components are renamed: without a mapping, tags are the names that they had.
  const published = withTags(withoutForeignWords(bundle, marks));
  const reserved = reservedNames(service, operations);
  const renamed = deriveSchemaNames(Object.keys(schemasOf(published)), reserved);
  const names = [...renamed].map(
    ([component, { name }]) => [joinPointer("#/components/schemas", component), name] as const,
  );
  const document = renamed.size === 0 ? published : renameComponents(published, new Map(names));
  return { ...splitDirections(nameInlineSchemas(document, reserved), reserved), renamed };
}

/** The names that no schema can have, each with the reason. */
function reservedNames(service: string, operations: readonly Operation[]): ReadonlyMap<string, string> {
  const client = `${pascalCase(service)}Client`;
  const other = "has the same name as";
  const ofOperations = operations.flatMap(({ name }): [string, string][] => {
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
    ["has the name of an export of @trainyard/core", coreExports],
    [`${other} other generated code`, generated.split(" ")],
    [`${other} the type of the client`, [client, `${client}Options`, `create${client}`]],
  ];
  return new Map([
    ...rows.flatMap(([reason, names]) => [...names].map((name) => [name, reason] as const)),
    ...ofOperations,
  ]);
}
