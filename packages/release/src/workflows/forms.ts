import { parse } from "yaml";
import { isObject } from "../lib/object.ts";

const kinds: Readonly<Record<string, readonly string[]>> = {
  // Each kind of field, with its attributes besides label and description.
  checkboxes: ["options"],
  dropdown: ["default", "multiple", "options"],
  input: ["placeholder", "value"],
  markdown: ["value"],
  textarea: ["placeholder", "render", "value"],
};

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function* strangers(
  location: string,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Generator<string> {
  for (const name of Object.keys(value)) if (!known.includes(name)) yield `${location}: ${name} means nothing here.`;
}

function* checkOptions(location: string, type: string, options: unknown): Generator<string> {
  if (!Array.isArray(options) || options.length === 0) {
    yield `${location} needs options.`;
    return;
  }
  const labels = options.map((option: unknown) => (isObject(option) ? option["label"] : option));
  if (!labels.every(isText)) yield `${location}: each option needs a text.`;
  if (new Set(labels).size < labels.length) yield `${location}: two options are the same.`;
  if (options.some((option) => isObject(option) !== (type === "checkboxes")))
    yield `${location}: options of checkboxes are objects with a label, those of a dropdown are texts.`;
}

function* checkField(location: string, field: unknown): Generator<string> {
  if (!isObject(field)) {
    yield `${location} is no field.`;
    return;
  }
  const { type, attributes, id } = field;
  const own = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (own === undefined) {
    yield `${location}: type must be one of ${Object.keys(kinds).join(", ")}.`;
    return;
  }
  yield* strangers(location, field, ["attributes", "id", "type", "validations"]);
  if (id !== undefined && !(isText(id) && /^[\w-]+$/.test(id))) yield `${location}: id takes letters, digits, - and _.`;
  if (!isObject(attributes)) {
    yield `${location} needs attributes.`;
    return;
  }
  yield* strangers(location, attributes, type === "markdown" ? own : ["label", "description", ...own]);
  if (!isText(attributes[type === "markdown" ? "value" : "label"]))
    yield `${location} needs ${type === "markdown" ? "a value" : "a label"}.`;
  if (own.includes("options")) yield* checkOptions(location, String(type), attributes["options"]);
}

/** The faults of an issue form, one sentence each. GitHub does not show a form with any fault. */
export function* checkForm(file: string, text: string): Generator<string> {
  const form: unknown = parse(text);
  if (!isObject(form)) {
    yield `${file} is no form.`;
    return;
  }
  yield* strangers(file, form, ["assignees", "body", "description", "labels", "name", "projects", "title", "type"]);
  for (const name of ["name", "description"]) if (!isText(form[name])) yield `${file} needs a ${name}.`;
  const { body } = form;
  if (!Array.isArray(body)) {
    yield `${file} needs a body, a list of fields.`;
    return;
  }
  if (!body.some((field) => isObject(field) && field["type"] !== "markdown")) yield `${file} asks for nothing.`;
  for (const [index, field] of body.entries()) yield* checkField(`${file}, field ${index + 1}`, field);
  for (const key of ["id", "label"]) {
    const values = body.flatMap((field: unknown) => {
      const value = isObject(field) ? (key === "id" ? field : field["attributes"]) : undefined;
      return isObject(value) && isText(value[key]) ? [value[key]] : [];
    });
    for (const value of new Set(values.filter((value, index) => values.indexOf(value) !== index)))
      yield `${file}: two fields have the ${key} "${value}".`;
  }
}
