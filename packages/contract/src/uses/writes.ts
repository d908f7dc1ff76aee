import ts from "@trainyard/codegen/compiler";
import { itemOf, keyedBy } from "./names.ts";

/** Called for each field that a value writes: with its declaration in the target type, and the node that writes it. */
export type Wrote = (declaration: ts.Declaration, at: ts.Node) => void;

/**
 * Pairs the types of values with the types that they are assigned to. A value's type leads to the literal that created it,
 * through variables, functions and lists, so that a field is reported where it is written.
 *
 * @returns takes a pair, with the location to report for a field that no literal shows
 */
export function writesOf(
  checker: ts.TypeChecker,
  wrote: Wrote,
): (value: ts.Type, target: ts.Type, at: ts.Node) => void {
  const seen = new Map<ts.Type, Set<ts.Type>>();
  function pair(value: ts.Type, target: ts.Type, at: ts.Node): void {
    const targets = seen.get(value) ?? new Set();
    if (targets.has(target)) return;
    seen.set(value, targets.add(target));
    if (value.isUnion()) return value.types.forEach((part) => pair(part, target, at));
    if ((value.flags & ts.TypeFlags.Object) === 0) return;
    const [item, targetItem] = [value, checker.getNonNullableType(target)].map((type) => itemOf(checker, type));
    if (item === undefined) for (const property of value.getProperties()) pairProperty(value, property, target, at);
    else if (targetItem !== undefined) pair(item, targetItem, at);
  }
  function pairProperty(value: ts.Type, property: ts.Symbol, target: ts.Type, at: ts.Node): void {
    const [written] = property.declarations ?? [];
    for (const variant of variantsOf(value, target)) {
      const field = checker.getPropertyOfType(variant, property.name);
      if (field === undefined || field === property) continue;
      // The properties of `Record<keyof Model, string>` have no declarations of their own.
      const keyed = field.declarations ? [] : keyedBy(checker, variant);
      const fields = [field, ...keyed.map((type) => checker.getPropertyOfType(type, property.name))];
      for (const declaration of fields.flatMap((one) => one?.declarations ?? [])) {
        if (declaration !== written) wrote(declaration, written ?? at);
      }
      pair(checker.getTypeOfSymbol(property), checker.getTypeOfSymbol(field), written ?? at);
    }
  }
  /** The union members that a value can be, by their literal properties. */
  function variantsOf(value: ts.Type, target: ts.Type): ts.Type[] {
    const all = target.isUnion() ? target.types : [target];
    const objects = all.filter((type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0);
    const fitting = objects.filter((variant) =>
      value.getProperties().every((property) => {
        const own = checker.getTypeOfSymbol(property);
        const other = checker.getPropertyOfType(variant, property.name);
        if (!own.isStringLiteral() || other === undefined) return true;
        return checker.isTypeAssignableTo(own, checker.getTypeOfSymbol(other));
      }),
    );
    return fitting.length > 0 ? fitting : objects;
  }
  return pair;
}
