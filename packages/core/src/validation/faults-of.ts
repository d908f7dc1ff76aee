import type { AjvErrorLike } from "./ajv-error.ts";
import { errorsOfOneLoop } from "./bound-errors.ts";
import { moreFaults, mostFaults, type Fault, type Loc } from "./fault.ts";
import { isObject } from "./json.ts";
import { pointerTokens } from "./pointer.ts";
import { translate } from "./translate.ts";
import { withoutSummaries } from "./without-summaries.ts";

/** Characters of all faults together. Names in a value are part of places, and one may be as long as the value. */
const mostCharacters = 2 ** 16;

/**
 * Turns Ajv's errors into faults: each once, in the order of the errors, with a sentence of ours. What only sums up
 * others (`if`, `anyOf`, `oneOf`) is left out, and so are the errors of a branch of a union whose kind does not fit.
 * At most {@link mostFaults} are told, and fewer where they are long; then one item more says that there are others.
 *
 * Best with schemas from `prepareSchema`; with others, a union of objects without a tag gives the faults of each branch.
 *
 * @param errors of a validator made with `ajvOptions`
 * @param value what was judged: it tells array positions from property names
 */
export function faultsOf(errors: readonly AjvErrorLike[], value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  const shapes = new Map<string, string>();
  let characters = 0;
  for (const error of withoutSummaries(errors)) {
    const { loc, target } = find(error.instancePath, value);
    const fault = translate(error, loc);
    if (error.keyword === "type" && target === null && typeof loc.at(-1) === "string") fault.msg += ` ${ofNull}`;
    const place = JSON.stringify(fault.loc);
    const key = `${place} ${fault.type}`;
    const shape = shapes.get(place);
    if (isShape(error)) {
      // A value of the wrong kind breaks `type`, `enum` and `const` at once: the last says most.
      if (shape !== undefined && error.keyword === "type") continue;
      if (shape !== undefined) faults.delete(shape);
      shapes.set(place, key);
    }
    if (faults.has(key)) continue;
    characters += place.length + fault.msg.length;
    const full = faults.size === mostFaults || (characters > mostCharacters && faults.size > 0);
    if (full) return [...faults.values(), moreFaults()];
    faults.set(key, fault);
  }
  // Where a loop ended early, there may be others that nobody looked for.
  return errors.length < errorsOfOneLoop ? [...faults.values()] : [...faults.values(), moreFaults()];
}

function isShape({ keyword }: AjvErrorLike): boolean {
  return keyword === "type" || keyword === "enum" || keyword === "const";
}

/** Programs write a message with all its fields, and null for those that it does not have. */
const ofNull = "It is null: if the field is optional, leave it out.";

/** The place that a pointer names, and what stands there. */
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
