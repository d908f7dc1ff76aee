import type { AjvErrorLike } from "./ajv-error.ts";
import { errorsOfOneLoop } from "./bound-errors.ts";
import { moreFaults, mostFaults, type Fault, type Loc } from "./fault.ts";
import { isObject } from "./json.ts";
import { pointerTokens } from "./pointer.ts";
import { translate } from "./translate.ts";
import { withoutSummaries } from "./without-summaries.ts";

/**
 * The maximum characters of all faults together. Paths contain names from the value, and a name may be as long as the
 * value.
 */
const mostCharacters = 2 ** 16;

/**
 * Converts Ajv's errors to faults, without duplicates, in the order of the errors. Errors that only summarize others (`if`,
 * `anyOf`, `oneOf`) are left out, and so are those of union branches whose JSON type does not match. Returns at most
 * {@link mostFaults}, fewer if they are long, followed by a note if there are others.
 *
 * Works best with schemas from `prepareSchema`. With others, a union of objects without a tag returns the faults of every
 * branch.
 *
 * @param errors of a validator made with `ajvOptions`
 * @param value the validated value, which distinguishes array indexes from property names
 */
export function faultsOf(errors: readonly AjvErrorLike[], value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  const shapes = new Map<string, string>();
  let characters = 0;
  for (const error of withoutSummaries(errors)) {
    const { loc, target } = find(error.instancePath, value);
    const fault = translate(error, loc);
    if (error.keyword === "type" && target === null && typeof loc.at(-1) === "string") fault.msg += ` ${ofNull}`;
    const location = JSON.stringify(fault.loc);
    const key = `${location} ${fault.type}`;
    const shape = shapes.get(location);
    if (isShape(error)) {
      // A value of the wrong JSON type violates `type`, `enum` and `const` together. The last is the most specific.
      if (shape !== undefined && error.keyword === "type") continue;
      if (shape !== undefined) faults.delete(shape);
      shapes.set(location, key);
    }
    if (faults.has(key)) continue;
    characters += location.length + fault.msg.length;
    const full = faults.size === mostFaults || (characters > mostCharacters && faults.size > 0);
    if (full) return [...faults.values(), moreFaults()];
    faults.set(key, fault);
  }
  // If a loop ended early, there may be other errors.
  return errors.length < errorsOfOneLoop ? [...faults.values()] : [...faults.values(), moreFaults()];
}

function isShape({ keyword }: AjvErrorLike): boolean {
  return keyword === "type" || keyword === "enum" || keyword === "const";
}

/** Programs often write every field of a message, with null for those that are absent. */
const ofNull = "It is null: if the field is optional, leave it out.";

/** The path of a pointer, and the value there. */
function find(pointer: string, value: unknown): { loc: Loc; target: unknown } {
  const loc: Loc = [];
  let target = value;
  for (const name of pointerTokens(pointer)) {
    if (Array.isArray(target)) {
      loc.push(Number(name));
      target = target[Number(name)];
    } else {
      loc.push(name);
      target = isObject(target) ? target[name] : undefined;
    }
  }
  return { loc, target };
}
