import { isObject } from "@trainyard/core/validation";
import { locateIn, type Located } from "./locate.ts";
import { isJson } from "./media.ts";

/** Where a parameter is sent. */
export type Place = "path" | "query" | "header" | "cookie";

/** A style that writes the items of a list, or the names and values of an object, as one text. */
type Delimited = "simple" | "form" | "spaceDelimited" | "pipeDelimited";
type Style = Delimited | "deepObject" | "label" | "matrix";

/** The styles that OpenAPI defines for each place. The first is the default. */
const styles: Record<Place, readonly [Style, ...Style[]]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** What stands between the parts of one text. */
export const separators: Readonly<Record<Delimited, string>> = {
  simple: ",",
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

/** How a value with a name is written. */
export interface Styled {
  readonly name: string;
  readonly in: Place;
  readonly schema: Located;
  /** A style of OpenAPI; `json` for `content: application/json`. `label` and `matrix` are not supported. */
  readonly style: Style | "json";
  /** Whether each item of a list, and each property of an object, is written on its own. */
  readonly explode: boolean;
}

/** Reads how a parameter, a header or a field of a form is written. A style that its place does not have is the default. */
export function readStyle(
  document: object,
  located: Located,
  place: Place,
): Pick<Styled, "schema" | "style" | "explode"> {
  const { style: named, explode, content } = located.node;
  const style = styles[place].find((one) => one === named) ?? styles[place][0];
  const mediaType = isObject(content) ? Object.keys(content)[0] : undefined;
  if (mediaType === undefined)
    return {
      schema: locateIn(document, located, "schema"),
      style,
      explode: typeof explode === "boolean" ? explode : style === "form",
    };
  const media = locateIn(document, located, "content", mediaType);
  return { schema: locateIn(document, media, "schema"), style: isJson(mediaType) ? "json" : style, explode: true };
}

/** Whether values of this style can be read and written. */
export function isSupported({ style }: Styled): boolean {
  return style !== "label" && style !== "matrix";
}

/** Whether the items of a list are one value with commas that are not encoded. */
export function isJoined(styled: Styled): boolean {
  return styled.in === "query" && styled.style === "form" && !styled.explode;
}

/**
 * The names and texts that a value is sent as, before they are encoded. A list repeats its name, unless it {@link isJoined};
 * a list or an object without members is not sent.
 * @throws TypeError for a value that the style cannot write
 */
export function writeStyled(styled: Styled, value: unknown): [name: string, text: string | string[]][] {
  const { name, style, explode } = styled;
  const fail = (why: string) => new TypeError(`The ${styled.in} parameter ${name} cannot be sent: ${why}`);
  if (value === undefined || value === null) return [];
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (style === "label" || style === "matrix") throw fail(`the style ${style} is not supported.`);
  const text = (one: unknown): string => {
    if (typeof one !== "object") return typeof one === "string" ? one : JSON.stringify(one);
    throw fail(`OpenAPI does not define how the style ${style} writes values within values.`);
  };
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const texts = value.map(text);
    // Only a query repeats names. A list in `deepObject` is undefined; servers read it as in a form.
    const isList = styled.in === "query" && (explode || style === "form" || style === "deepObject");
    return [[name, isList ? texts : texts.join(separators[style === "deepObject" ? "form" : style])]];
  }
  if (!isObject(value)) return [[name, text(value)]];
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  if (members.length === 0) return [];
  const listed = (member: unknown) => (Array.isArray(member) ? member.map(text) : text(member));
  if (style === "deepObject") return members.map(([key, member]) => [`${name}[${key}]`, listed(member)]);
  if (style === "form" && explode) return members.map(([key, member]) => [key, listed(member)]);
  const pairs = explode ? members.map((pair) => pair.map(text).join("=")) : members.flat().map(text);
  return [[name, isJoined(styled) ? pairs : pairs.join(separators[style])]];
}
