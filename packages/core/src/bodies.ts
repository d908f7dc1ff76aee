/**
 * Writers of bodies that are not `application/json`. A generated client imports those of its document.
 *
 * @module
 */
import { ConfigurationError } from "./errors/failures.ts";
import type { CallOptions } from "./options.ts";
import { checkFinite, type Written } from "./request.ts";

// A stream can be sent once.
const once = (options: CallOptions): CallOptions => ({
  ...options,
  maxRetries: 0,
  fetchOptions: { ...options.fetchOptions, duplex: "half" },
});

/** How the properties of a form are written: `encoding` of the document. */
type Encoding = {
  readonly [property: string]: { readonly contentType?: string; readonly style?: string; readonly explode?: boolean };
};

/** Writes a body as one media type. */
type Writer = (value: unknown, encoding: Encoding) => Written | Promise<Written>;

/** The media types of a body, the preferred one first. */
type Types = { readonly [mediaType: string]: readonly [write: Writer, encoding?: Encoding] };

/** Writes a body as the type that the call asks for, or as the first. */
export function bodyAs(
  types: Types,
): (value: unknown, options: CallOptions & { readonly contentType?: string | undefined }) => Promise<Written> {
  return async (value, options) => {
    const { contentType = Object.keys(types)[0] ?? "" } = options;
    const [write, encoding = {}] = types[contentType] ?? [];
    if (!write) throw new ConfigurationError(`contentType must be one of: ${Object.keys(types).join(", ")}.`);
    const written = await write(value, encoding);
    const changed = written.raw instanceof ReadableStream && { once: true, options: once(options) };
    return { type: contentType, ...written, ...changed };
  };
}

/** JSON of another media type than `application/json`. */
export const jsonBody: Writer = (value) => {
  // Refuses a circle, in which the search would have no end.
  const body = JSON.stringify(value);
  checkFinite(value);
  return { body };
};

/** Text. */
export const textBody: Writer = (value) => ({ body: String(value) });

/** Bytes: a `Blob`, an `ArrayBuffer`, a view of one, a stream, or text. A stream can be sent once. */
export const bytesBody: Writer = (value) => ({
  raw: value instanceof ReadableStream || value instanceof Blob ? value : new Blob([value as BlobPart]),
});

/** A form, URL-encoded. A list repeats its name; an object is JSON, unless `encoding` has a style. */
export const formBody: Writer = (value, encoding) => {
  const form = new URLSearchParams();
  for (const [name, one] of present(value)) {
    const { style = "form", explode = style === "form", ...rest } = encoding[name] ?? {};
    const isStyled = encoding[name]?.style !== undefined || "explode" in (encoding[name] ?? {});
    const delimiter = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
    const isJson = rest.contentType !== undefined && /json/i.test(rest.contentType);
    const isWhole = Array.isArray(one) ? isJson : !isStyled;
    const isDeep = style === "deepObject";
    if (typeof one !== "object" || isWhole) form.append(name, textOf(one));
    else if (!explode && !isDeep) {
      const parts = Array.isArray(one) ? one : present(one).flat();
      if (parts.length > 0) form.append(name, parts.map(textOf).join(delimiter));
    } else if (Array.isArray(one)) for (const item of one) form.append(name, textOf(item));
    else for (const [key, item] of present(one)) form.append(isDeep ? `${name}[${key}]` : key, textOf(item));
  }
  return { body: `${form}` };
};

/** A form of parts. Lists repeat their name, files are `Blob`s, and objects are JSON. */
export const multipartBody: Writer = async (value, encoding) => {
  const form = new FormData();
  for (const [name, one] of present(value))
    for (const item of Array.isArray(one) ? one : [one]) {
      const type = encoding[name]?.contentType;
      const isFile = item instanceof Blob;
      const known = type !== undefined && !/[,*]/.test(type) ? type : undefined;
      if (isFile)
        form.append(
          name,
          item.type || !known ? item : new File([item], fileName(item), { type: known }),
          fileName(item),
        );
      else if (known === undefined && typeof item !== "object") form.append(name, textOf(item));
      // A part has a type only if it is a file.
      else form.append(name, new Blob([textOf(item)], { type: known ?? "application/json" }), name);
    }
  // As bytes, so that each attempt sends the same. The type of the Blob would have the boundary in lower case.
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { raw: await response.blob(), type };
};

function present(value: unknown): [string, unknown][] {
  checkFinite(value);
  return Object.entries(Object(value)).filter(([, one]) => one !== undefined && one !== null);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fileName(file: Blob): string {
  return file instanceof File ? file.name : "blob";
}
