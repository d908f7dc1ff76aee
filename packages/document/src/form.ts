import { locateIn } from "./locate.ts";
import { isJson, type Media } from "./media.ts";
import { readStyle, type Styled } from "./parameter-style.ts";
import { shapeOf } from "./shape.ts";

/** A field of a form, written like a parameter of a query. */
export interface FormField extends Styled {
  /** The media types that its `encoding` permits; empty if it says nothing. */
  readonly mediaTypes: readonly string[];
}

/** The fields of a form, by the properties of its schema and its `encoding`. Objects are JSON, unless they have a style. */
export function formFields(document: object, { schema, ...media }: Media): FormField[] {
  if (schema === undefined) return [];
  return [...shapeOf(document, schema).properties].map(([name, shape]) => {
    const encoding = locateIn(document, media, "encoding", name);
    const { contentType, style, explode } = encoding.node;
    const mediaTypes = typeof contentType === "string" ? contentType.split(",").map((one) => one.trim()) : [];
    const isStyled = style !== undefined || explode !== undefined;
    const isWhole = mediaTypes.some(isJson) || (!isStyled && shape.types.has("object"));
    const read = { ...readStyle(document, encoding, "query"), ...(isWhole && { style: "json" as const }) };
    return { ...read, name, in: "query", schema: shape.schema, mediaTypes };
  });
}
