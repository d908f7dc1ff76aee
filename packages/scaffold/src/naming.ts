import { Failure } from "@trainyard/contract";

/** `models-checkpoints-list` of `models.checkpoints.list`. */
export function kebab(name: string): string {
  return name
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll(/[._]/g, "-")
    .replace(/^-/, "");
}

/** `created at` of `created_at`, `hardware option` of `HardwareOption`. */
export function spaced(name: string): string {
  return kebab(name).replaceAll("-", " ");
}

/** `model` of `model_id` and of `model_name`: what a parameter of a path names. */
export function thingOf(parameter: string): string {
  return parameter.replace(/_?(id|name)$/, "").replaceAll("_", " ") || "thing";
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `note` of `notes`, `policy` of `policies`; `status` stays. */
function singular(word: string): string {
  if (word.endsWith("ies")) return word.replace(/ies$/, "y");
  return /(us|ss|is)$/.test(word) ? word : word.replace(/s$/, "");
}

/** `Create notes` of `models.notes.create`. */
export function summaryOf(method: string): string {
  const [last = "", group = ""] = method.split(".").toReversed();
  return capital(`${spaced(last)} ${spaced(group)}`);
}

/** `Note` of `models.notes.create`: what the methods of a group are about. */
export function subjectOf(method: string): string {
  const [, group = ""] = method.split(".").toReversed();
  return capital(singular(group));
}

/** Text as a sentence: a capital first, a period last. */
export function sentence(words: string): string {
  const text = capital(words.trim());
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** @throws {@link Failure} with what the value has to be. */
export function fit(what: string, value: string, pattern: RegExp, form: string): string {
  if (pattern.test(value)) return value;
  throw new Failure(`"${value}" is no ${what}. Write ${form}.`);
}

export const schemaName = /^[A-Z][A-Za-z0-9]*$/;
export const methodName = /^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)+$/;
