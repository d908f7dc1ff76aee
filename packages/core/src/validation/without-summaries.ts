import type { AjvErrorLike } from "./ajv-error.ts";

/** What was kept so far of the errors at the value of a union and below it. */
interface Inside {
  count: number;
  /** Where those stand that say of the value itself that it is of the wrong kind. */
  readonly types: number[];
}

/**
 * Errors less those that sum up others, and less those of branches whose kind does not fit. Where the value is of no
 * branch's kind, one error names the kinds of all.
 */
export function withoutSummaries(errors: readonly AjvErrorLike[]): readonly AjvErrorLike[] {
  const unions = new Map<string, Inside>();
  for (const error of errors) if (isUnion(error)) unions.set(error.instancePath, { count: 0, types: [] });
  const kept: (AjvErrorLike | undefined)[] = [];
  for (const error of errors) {
    if (error.keyword === "if" || error.propertyName !== undefined) continue;
    const path = error.instancePath;
    const inside = unions.get(path);
    if (inside === undefined || inside.count === 0 || !isUnion(error)) {
      if (error.keyword === "type") inside?.types.push(kept.length);
      kept.push(error);
      count(unions, path, 1);
      continue;
    }
    // Counted and kept by their places: to look through all errors at each union would cost the square of their number.
    const { types } = inside;
    const alone = inside.count === types.length;
    const dropped = types.splice(alone ? 1 : 0);
    const [first] = types;
    const told = first === undefined ? undefined : kept[first];
    if (first !== undefined && told !== undefined) {
      const type = [first, ...dropped].flatMap((place) => kept[place]?.params["type"]);
      kept[first] = { ...told, params: { ...told.params, type } };
    }
    for (const place of dropped) kept[place] = undefined;
    count(unions, path, -dropped.length);
  }
  return kept.filter((error) => error !== undefined);
}

/** A union that no branch satisfies. (`oneOf` also fails where two do: that is a fault of its own.) */
function isUnion({ keyword, params }: AjvErrorLike): boolean {
  return keyword === "anyOf" || (keyword === "oneOf" && !Array.isArray(params["passingSchemas"]));
}

/** Counts errors at a place in each union that holds it. */
function count(unions: ReadonlyMap<string, Inside>, path: string, by: number): void {
  if (unions.size === 0) return;
  for (let end = path.length; end >= 0; end = end > 0 ? path.lastIndexOf("/", end - 1) : -1) {
    const inside = unions.get(path.slice(0, end));
    if (inside) inside.count += by;
  }
}
