/**
 * Upgrades documents of OpenAPI 3.0. It is not in the main entry, so that who reads 3.1 alone does not load the upgrader.
 *
 * @module
 */
import { upgradeFromThreeToThreeOne } from "@scalar/openapi-upgrader/3.0-to-3.1";
import { isObject, joinPointer, keywordsIn, type JsonObject } from "@trainyard/core/validation";
import { locateIn } from "./locate.ts";
import { schemaKeywords } from "./schema/keywords.ts";
import { combining } from "./schema/parts.ts";

/** A document in OpenAPI 3.1, and what its upgrade changed in meaning. */
export interface Upgraded {
  readonly document: JsonObject;
  /** One sentence for each change, which begins with its place in the document of 3.0. */
  readonly notes: readonly string[];
}

/** Upgrades a bundle from OpenAPI 3.0 to 3.1. Others are returned unchanged. The argument is not changed. */
export function upgrade(root: JsonObject): Upgraded {
  if (!String(root["openapi"]).startsWith("3.0")) return { document: root, notes: [] };
  const notes: string[] = [];
  const copy = structuredClone(root);
  // The library moves an `allOf` with `nullable`, and a reference into it would lead to nothing.
  const moves = !/"\$ref":"[^"]*\/allOf\//.test(JSON.stringify(root));
  prepare(copy, "#", "other", { root, moves, note: (pointer, sentence) => notes.push(`${pointer}: ${sentence}`) });
  return { document: Object(upgradeFromThreeToThreeOne(copy)), notes };
}

type Kind = "schema" | "path" | "other";

interface Preparing {
  /** The document as it was written. */
  readonly root: JsonObject;
  /** Whether the library may move an `allOf`. */
  readonly moves: boolean;
  readonly note: (pointer: string, sentence: string) => unknown;
}

const schemas = new Set(["schema", "schemas", ...Object.values(schemaKeywords).flat()]);
/** Objects whose keys are names. */
const maps = new Set([
  ...schemaKeywords.maps,
  ..."callbacks content encoding headers parameters paths requestBodies responses schemas securitySchemes".split(" "),
]);
/** A choice of a union: there, documents write `nullable` alone for null. */
const choice = /\/(?:any|one)Of\/\d+$/;
const values = new Set(["const", "default", "enum", "example", "examples", "links", "mapping"]);

/** Rewrites what the library would leave, lose or change in meaning, and notes what cannot be said in 3.1. */
function prepare(node: unknown, pointer: string, kind: Kind, preparing: Preparing): void {
  if (!isObject(node)) return;
  if (typeof node["$ref"] === "string" && kind !== "path") return prepareReference(node, pointer, kind, preparing);
  if (kind === "schema") prepareSchema(node, pointer, preparing);
  // The library would drop the others.
  else if ("example" in node && isObject(node["examples"])) {
    node["examples"] = { default: { value: node["example"] }, ...node["examples"] };
    delete node["example"];
  }
  for (const [key, value] of Object.entries(node)) {
    if (values.has(key) || key.startsWith("x-")) continue;
    const below = schemas.has(key) ? "schema" : key === "paths" ? "path" : "other";
    const at = joinPointer(pointer, key);
    if (Array.isArray(value) || maps.has(key))
      for (const [name, member] of Object.entries(Object(value)))
        prepare(member, joinPointer(at, name), below, preparing);
    else prepare(value, at, below, preparing);
  }
}

function prepareReference(node: JsonObject, pointer: string, kind: Kind, { note }: Preparing): void {
  const isNullable = kind === "schema" && node["nullable"] === true;
  const marks = Object.keys(node).filter((key) => kind === "schema" && (key === "readOnly" || key === "writeOnly"));
  const others = Object.keys(node).filter((key) => key !== "$ref" && key !== "nullable" && !marks.includes(key));
  for (const key of others) delete node[key];
  if (!isNullable) delete node["nullable"];
  const names = others.map((key) => `\`${key}\``).join(", ");
  if (others.length > 0) note(pointer, `${names} beside \`$ref\` was removed, because OpenAPI 3.0 ignores it.`);
  for (const key of marks) note(pointer, `\`${key}\` counts now. OpenAPI 3.0 ignores it beside \`$ref\`.`);
  if (isNullable) note(pointer, "null is valid now. OpenAPI 3.0 ignores `nullable` beside `$ref`.");
}

function prepareSchema(schema: JsonObject, pointer: string, { root, moves, note }: Preparing): void {
  // The library would remove the type, too, and numbers would be valid.
  if (schema["format"] === "binary") {
    schema["contentMediaType"] ??= "application/octet-stream";
    delete schema["format"];
  }
  const { type, nullable, enum: listed } = schema;
  if (nullable !== true) return void delete schema["nullable"];
  if (Array.isArray(listed) && !listed.includes(null))
    note(pointer, "null is not valid, because `enum` does not list it, as in OpenAPI 3.0.3.");
  const beside = combining.filter((key) => Array.isArray(schema[key]));
  const [union, ...others] = beside;
  const names = beside.map((key) => `\`${key}\``).join(" and ");
  if (type !== undefined) {
    if (beside.length > 0) note(pointer, `\`type\` permits null, which is valid only if ${names} permits it, too.`);
    // The library would put the list into a list.
    if (!Array.isArray(type) && type !== "null") return;
    schema["type"] = [...new Set([type, "null"].flat())];
  } else if (moves && beside.join() === "allOf") {
    return void note(pointer, "null is valid now. OpenAPI 3.0 ignores `nullable` beside `allOf` without `type`.");
  } else if (union !== undefined && others.length === 0 && union !== "allOf") {
    const choices = [schema[union]].flat().map((_, index) => locateIn(root, { node: schema, pointer }, union, index));
    // Of a `oneOf`, null must match one only.
    if (!choices.some(({ node }) => node["nullable"] === true))
      schema[union] = [schema[union], { type: "null" }].flat();
    note(pointer, `null is valid now. OpenAPI 3.0 ignores \`nullable\` beside ${names} without \`type\`.`);
  } else if (choice.test(pointer) && keywordsIn(schema).length === 0) {
    schema["type"] = "null";
    note(pointer, "only null is valid now. OpenAPI 3.0 ignores `nullable` alone.");
  } else {
    const place = beside.length > 0 ? `beside ${names}` : "alone";
    note(pointer, `\`nullable\` ${place} was removed, because OpenAPI 3.0 ignores it without \`type\`.`);
  }
  delete schema["nullable"];
}
