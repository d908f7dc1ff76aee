import { Failure } from "../failure.ts";

/** The format of that name. @throws {@link Failure} with those there are. */
export function choose<Format>(formats: Readonly<Record<string, Format>>, name: string): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  throw new Failure(`There is no format "${name}". Choose ${Object.keys(formats).join(", ")}.`);
}
