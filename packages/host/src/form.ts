import type { Fault } from "@trainyard/core/validation";
import { essenceOf, formFields, mediaKind, type FormField, type Media } from "@trainyard/document";
import type { JudgedBody } from "./judge.ts";
import { readFields } from "./parameters.ts";
import type { Validator } from "./validator.ts";

/** A form, as it was sent. */
interface Form {
  /** The fields that are text, by name. */
  readonly texts: readonly (readonly [name: string, text: string])[];
  readonly files: readonly (readonly [name: string, file: File])[];
}

/**
 * Reads and validates a form. Its values have the types of the schema; files are judged by presence and media type.
 *
 * @param type the `Content-Type` of the request
 */
export async function judgeForm(
  root: object,
  validator: Validator,
  media: Media,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<JudgedBody> {
  const form = await readForm(bytes, type);
  if (form === undefined) return { body: { kind: "malformed", reason: "The body is not a valid form." }, faults: [] };
  const fields = formFields(root, media);
  const texts = readFields(root, fields, form.texts);
  const files = new Map<string, File[]>();
  for (const [name, file] of form.files) files.set(name, [...(files.get(name) ?? []), file]);
  const lists = new Set(
    fields.filter(({ schema }) => [schema.node["type"]].flat().includes("array")).map(({ name }) => name),
  );
  const withFiles = (of: (file: File) => unknown) => {
    const values = [...files].map(([name, all]) => [
      name,
      lists.has(name) ? all.map(of) : of(all.at(-1) ?? new File([], "")),
    ]);
    return { ...texts, ...Object.fromEntries(values) };
  };
  // A schema says of a file that it is a string, whatever it contains.
  const inSchema =
    media.schema === undefined
      ? []
      : validator.at(
          media.schema.pointer,
          withFiles(() => ""),
        );
  const faults = [...inSchema, ...form.files.flatMap(([name, file]) => typeFault(fields, name, file))];
  return {
    body: { kind: "json", value: withFiles((file) => file), bytes },
    faults: faults.map((fault) => ({ ...fault, loc: ["body", ...fault.loc] })),
  };
}

/** Undefined if the bytes are no form of the type. */
async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Form | undefined> {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => undefined);
  if (form === undefined) return undefined;
  const texts: [string, string][] = [];
  const files: [string, File][] = [];
  for (const [name, value] of form) {
    if (typeof value === "string") texts.push([name, value]);
    // Clients send JSON within a form as a file without a name.
    else if (mediaKind(value.type) === "json") texts.push([name, await value.text()]);
    else files.push([name, value]);
  }
  return { texts, files };
}

function typeFault(fields: readonly FormField[], name: string, { type }: File): Fault[] {
  const { mediaTypes = [] } = fields.find((field) => field.name === name) ?? {};
  const fits = (range: string) =>
    ["*/*", essenceOf(type), essenceOf(type).replace(/\/.*/, "/*")].includes(essenceOf(range));
  if (mediaTypes.length === 0 || mediaTypes.some(fits)) return [];
  const msg = `The file must be ${mediaTypes.join(" or ")}, not ${type || "of an unknown type"}.`;
  return [{ loc: [name], msg, type: "value_error" }];
}
