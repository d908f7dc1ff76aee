import { isObject, joinPointer, keywordsIn, memberAt, pointerTokens } from "@trainyard/core/validation";
import {
  essenceOf,
  eventsOf,
  jsonOf,
  mediaKind,
  pascalCase,
  preferredMedia,
  readDocument,
  schemaName,
  successesOf,
  typeName,
  type Located,
  type Media,
} from "@trainyard/document";
import { type OpenApiDocument, referencesIn, schemaAt, schemasOf } from "@trainyard/document/files";

/** The name of a new component: with `Schema` and a number behind it if the document has it already. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 1; isTaken(free); number++) free = `${name}Schema${number > 1 ? number : ""}`;
  return free;
}

/**
 * Returns the document with a component for each inline schema of a body or answer, such as `ModelsCreateBody` and
 * `ModelsCreateResult`, because editors and compiler errors show names. The published bundle does not change.
 */
export function nameInlineSchemas(document: OpenApiDocument, reserved: ReadonlyMap<string, string>): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas = schemasOf(copy);
  const moved = new Map<string, string>();
  /** Makes a component of an inline schema, and returns the reference to it. */
  const component = (schema: Located | undefined, stem: string, status: string): { $ref: string } | undefined => {
    // A schema without keywords accepts any JSON value.
    if (!schema || typeName(schema) !== undefined || keywordsIn(schemaAt(schema)).length === 0) return undefined;
    const isTaken = (wanted: string): boolean => schemas[wanted] !== undefined || reserved.has(wanted);
    // A second answer, or a component of the document that has this name already.
    const wanted = isTaken(stem) ? freeName(`${stem}${pascalCase(status)}`, isTaken) : stem;
    schemas[wanted] = schemaAt(schema);
    moved.set(schema.pointer, `#/components/schemas/${wanted}`);
    return { $ref: `#/components/schemas/${wanted}` };
  };
  const name = (media: Media | undefined, stem: string, status = ""): void => {
    const own = component(media?.schema, stem, status);
    if (media && own) media.node["schema"] = own;
  };
  const nameItem = (media: Media | undefined, stem: string, status: string): void => {
    const own = component(media?.item, stem, status);
    if (!media || !own) return;
    // The form of `contentSchema`, from whichever the document has.
    if (media.schema === media.item) media.node["schema"] = own;
    else media.node["schema"] = { type: "string", contentMediaType: "application/json", contentSchema: own };
    delete media.node["itemSchema"];
  };
  for (const { clientMethod, body, responses } of readDocument(copy).operations) {
    if (clientMethod === undefined) continue;
    for (const media of preferredMedia(body?.content ?? new Map())) {
      const kind = mediaKind(media.mediaType);
      const type = essenceOf(media.mediaType).replaceAll(/^.*\/|\+json$/g, "");
      if (kind === "json" || kind === "form" || kind === "multipart")
        name(media, `${pascalCase(clientMethod)}Body`, kind === "json" ? type : kind);
    }
    for (const { status, content } of successesOf(responses)) {
      name(jsonOf(content), `${pascalCase(clientMethod)}Result`, status);
      nameItem(eventsOf(content), `${pascalCase(clientMethod)}Item`, status);
    }
  }
  const named = { ...copy, components: { ...copy.components, schemas } };
  for (const { keys, target } of referencesIn(named)) {
    const node = memberAt(named, keys);
    if (isObject(node)) node["$ref"] = movedReference(target, moved);
  }
  return named;
}

/** A reference to a schema that has moved, or to a part of it, at the new place. */
function movedReference(reference: string, moved: ReadonlyMap<string, string>): string {
  if (schemaName(reference) !== undefined) return reference;
  const tokens = pointerTokens(reference);
  for (let end = tokens.length; end > 0; end--) {
    const place = moved.get(joinPointer("#", ...tokens.slice(0, end)));
    if (place !== undefined) return joinPointer(place, ...tokens.slice(end));
  }
  return reference;
}
