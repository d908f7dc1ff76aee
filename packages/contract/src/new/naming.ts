import { Failure } from "../failure.ts";

/** Turns `models.checkpoints.list` into `models-checkpoints-list`. */
export function kebab(name: string): string {
  return name
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[._]/g, "-")
    .replace(/^-/, "");
}

/** Turns `created_at` into `created at`, and `HardwareOption` into `hardware option`. */
export function spaced(name: string): string {
  return kebab(name).replaceAll("-", " ");
}

/** What a path parameter identifies: `model` for `model_id` and `model_name`. */
export function thingOf(parameter: string): string {
  return parameter.replace(/_?(id|name)$/, "").replaceAll("_", " ") || "thing";
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The singular: `note` for `notes`, `policy` for `policies`; `status` stays. */
function singular(word: string): string {
  if (word.endsWith("ies")) return word.replace(/ies$/, "y");
  return /(us|ss|is)$/.test(word) ? word : word.replace(/s$/, "");
}

/** The title of `models.notes.create`: `Create notes`. */
export function summaryOf(method: string): string {
  const [last = "", group = ""] = method.split(".").toReversed();
  return capital(`${spaced(last)} ${spaced(group)}`);
}

/** The schema of a group's methods: `Note` for `models.notes.create`. */
export function subjectOf(method: string): string {
  const [, group = ""] = method.split(".").toReversed();
  return capital(singular(group));
}

/** Turns text into a sentence: a capital letter at the start, a period at the end. */
export function sentence(phrase: string): string {
  const text = capital(phrase.trim());
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** @throws {@link Failure} that says what the value must be */
export function fit(what: string, value: string, pattern: RegExp, form: string): string {
  if (pattern.test(value)) return value;
  throw new Failure(`"${value}" is not a valid ${what}. Write ${form}.`);
}

export const schemaName = /^[A-Z][A-Za-z0-9]*$/;
export const methodName = /^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/;
