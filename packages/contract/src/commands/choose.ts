import { Failure } from "../failure.ts";

/** Finds a format by name. @throws {@link Failure} with the available formats. */
export function choose<Format>(formats: Readonly<Record<string, Format>>, name: string): Format {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  throw new Failure(`The format "${name}" does not exist. Choose ${Object.keys(formats).join(", ")}.`);
}
