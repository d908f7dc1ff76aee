import { Failure } from "../failure.ts";
import { capital } from "../json.ts";

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

/** The schema of a group's methods: `Note` for `models.notes.create`. Of `policies` it is `Policy`; `status` stays. */
export function subjectOf(method: string): string {
  const group = method.split(".").at(-2) ?? "";
  return capital(group.replace(/ies$/, "y").replace(/([^usi])s$/, "$1"));
}

/** Turns text into a sentence: a capital letter at the start, a period at the end. */
export function sentence(phrase: string): string {
  const text = capital(phrase.trim());
  return /[.!?)]$/.test(text) ? text : `${text}.`;
}

/** @throws {@link Failure} that says what the value must be */
export function fit(what: string, value: string, pattern: RegExp, form: string): void {
  if (!pattern.test(value)) throw new Failure(`"${value}" is not a valid ${what}. Write ${form}.`);
}
