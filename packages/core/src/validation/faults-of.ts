import type { AjvErrorLike } from "./ajv-error.ts";
import type { Fault, Loc } from "./fault.ts";
import { isObject } from "./json.ts";
import { pointerTokens } from "./pointer.ts";
import { translate } from "./translate.ts";

/**
 * Turns Ajv's errors into faults: each once, in the order of the errors, with a sentence of ours. What only sums up
 * others (`if`, `anyOf`, `oneOf`) is left out, and so are the errors of a branch of a union whose kind does not fit.
 *
 * Best with schemas from `prepareSchema`; with others, a union of objects without a tag gives the faults of each branch.
 *
 * @param errors of a validator made with `ajvOptions`
 * @param value what was judged: it tells array positions from property names
 */
export function faultsOf(errors: readonly AjvErrorLike[], value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  const shapes = new Map<string, string>();
  for (const error of withoutSummaries(errors)) {
    const fault = translate(error, locOf(error.instancePath, value));
    const place = JSON.stringify(fault.loc);
    const key = `${place} ${fault.type}`;
    const shape = shapes.get(place);
    if (isShape(error)) {
      // A value of the wrong kind breaks `type`, `enum` and `const` at once: the last says most.
      if (shape !== undefined && error.keyword === "type") continue;
      if (shape !== undefined) faults.delete(shape);
      shapes.set(place, key);
    }
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

function isShape({ keyword }: AjvErrorLike): boolean {
  return keyword === "type" || keyword === "enum" || keyword === "const";
}

/** Errors less those that sum up others, and less those of branches whose kind does not fit. */
function withoutSummaries(errors: readonly AjvErrorLike[]): AjvErrorLike[] {
  let kept: AjvErrorLike[] = [];
  for (const error of errors) {
    if (error.keyword === "if" || error.propertyName !== undefined) continue;
    if (!isUnion(error)) {
      kept.push(error);
      continue;
    }
    const path = error.instancePath;
    const inside = kept.filter((e) => e.instancePath === path || e.instancePath.startsWith(`${path}/`));
    const types = inside.filter((e) => e.keyword === "type" && e.instancePath === path);
    const [first, ...others] = types;
    if (inside.length === 0) kept.push(error);
    else if (inside.length > types.length) kept = kept.filter((e) => !types.includes(e));
    else if (first) {
      const type = types.flatMap((e) => e.params["type"]);
      const all = { ...first, params: { ...first.params, type } };
      kept = kept.filter((e) => !others.includes(e)).map((e) => (e === first ? all : e));
    }
  }
  return kept;
}

/** A union that no branch satisfies. (`oneOf` also fails where two do: that is a fault of its own.) */
function isUnion({ keyword, params }: AjvErrorLike): boolean {
  return keyword === "anyOf" || (keyword === "oneOf" && !Array.isArray(params["passingSchemas"]));
}

function locOf(pointer: string, value: unknown): Loc {
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
  return loc;
}
