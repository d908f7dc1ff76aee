import ts from "typescript";

/**
 * Called for each field that a value writes: with the field's declaration in the target type, and the node that writes it.
 */
export type Wrote = (declaration: ts.Declaration, at: ts.Node) => void;

/**
 * Pairs the types of values with the types that they are assigned to. A value's type leads to the literal that created it,
 * through variables, functions and lists, so that a field is reported where it is written.
 */
export class Writes {
  readonly #checker: ts.TypeChecker;
  readonly #wrote: Wrote;
  readonly #seen: Map<ts.Type, Set<ts.Type>> = new Map();

  constructor(checker: ts.TypeChecker, wrote: Wrote) {
    this.#checker = checker;
    this.#wrote = wrote;
  }

  /** The type of an expression, paired with its contextual type. */
  expression(node: ts.Expression): void {
    const target = this.#checker.getContextualType(node);
    if (target !== undefined) this.pair(this.#checker.getTypeAtLocation(node), target, node);
  }

  /** `at` is the location to report for a field that no literal shows. */
  pair(value: ts.Type, target: ts.Type, at: ts.Node): void {
    const seen = this.#seen.get(value) ?? new Set();
    this.#seen.set(value, seen);
    if (seen.has(target)) return;
    seen.add(target);
    if (value.isUnion()) {
      for (const part of value.types) this.pair(part, target, at);
      return;
    }
    if ((value.flags & ts.TypeFlags.Object) === 0) return;
    const [item, targetItem] = [this.#item(value), this.#item(this.#checker.getNonNullableType(target))];
    if (item !== undefined) {
      if (targetItem !== undefined) this.pair(item, targetItem, at);
      return;
    }
    for (const property of value.getProperties()) this.#property(value, property, target, at);
  }

  #property(value: ts.Type, property: ts.Symbol, target: ts.Type, at: ts.Node): void {
    const [written] = property.declarations ?? [];
    const type = this.#checker.getTypeOfSymbolAtLocation(property, written ?? at);
    for (const variant of this.#variants(value, target)) {
      const field = this.#checker.getPropertyOfType(variant, property.name);
      if (field === undefined || field === property) continue;
      for (const declaration of field.declarations ?? []) {
        if (declaration !== written) this.#wrote(declaration, written ?? at);
      }
      const [declared] = field.declarations ?? [];
      this.pair(type, this.#checker.getTypeOfSymbolAtLocation(field, declared ?? at), written ?? at);
    }
  }

  /** The union members that a value can be, by their literal properties. */
  #variants(value: ts.Type, target: ts.Type): ts.Type[] {
    const all = target.isUnion() ? target.types : [target];
    const objects = all.filter((type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0);
    const fitting = objects.filter((variant) =>
      value.getProperties().every((property) => {
        const [own, other] = [property, this.#checker.getPropertyOfType(variant, property.name)].map((symbol) => {
          const [declaration] = symbol?.declarations ?? [];
          return symbol && declaration && this.#checker.getTypeOfSymbolAtLocation(symbol, declaration);
        });
        return !own?.isStringLiteral() || other === undefined || this.#checker.isTypeAssignableTo(own, other);
      }),
    );
    return fitting.length > 0 ? fitting : objects;
  }

  #item(type: ts.Type): ts.Type | undefined {
    if (type.isUnion()) return type.types.map((part) => this.#item(part)).find((part) => part !== undefined);
    return this.#checker.isArrayLikeType(type) ? type.getNumberIndexType() : undefined;
  }
}
