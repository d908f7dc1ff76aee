import { isObject, type Loc } from "@trainyard/core/validation";
import { applyMutation, type Mutation } from "./mutations.ts";

/**
 * Copies of a value, in each of which one list or object has that many items that hardly any schema accepts. Only the first
 * item of a list is searched for further lists.
 */
export function wrongLists(value: unknown, length: number): { readonly loc: Loc; readonly value: unknown }[] {
  return locationsOf(value).map(({ loc, isList }) => {
    const wrong = Array.from({ length }, () => ({ "?": null }));
    const change: Mutation = {
      loc,
      what: `${length} wrong ones`,
      value: isList ? wrong : Object.fromEntries(wrong.entries()),
    };
    return { loc, value: applyMutation(value, change) };
  });
}

/** The paths of lists and objects. */
function locationsOf(value: unknown, loc: Loc = []): { loc: Loc; isList: boolean }[] {
  if (Array.isArray(value))
    return [{ loc, isList: true }, ...value.slice(0, 1).flatMap((item) => locationsOf(item, [...loc, 0]))];
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => locationsOf(member, [...loc, name]));
  return [{ loc, isList: false }, ...inner];
}
