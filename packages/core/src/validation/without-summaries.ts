import type { AjvErrorLike } from "./ajv-error.ts";

/** The errors kept so far at the value of a union and below it. */
interface UnionErrors {
  count: number;
  /** The positions of the errors about the JSON type of the value itself. */
  readonly types: number[];
}

/**
 * Removes errors that summarize others, and errors of union branches whose JSON type does not match. If no branch matches
 * the type of the value, one error names the types of all.
 */
export function withoutSummaries(errors: readonly AjvErrorLike[]): readonly AjvErrorLike[] {
  const unions = new Map<string, UnionErrors>();
  for (const error of errors) if (isUnion(error)) unions.set(error.instancePath, { count: 0, types: [] });
  const kept: (AjvErrorLike | undefined)[] = [];
  for (const error of errors) {
    if (error.keyword === "if" || error.propertyName !== undefined) continue;
    const path = error.instancePath;
    const union = unions.get(path);
    // `prepareSchema` writes one `not` for the branches that were not meant.
    if (error.keyword === "not" && union !== undefined && union.count > 0) continue;
    if (union === undefined || union.count === 0 || !isUnion(error)) {
      if (error.keyword === "type") union?.types.push(kept.length);
      kept.push(error);
      count(unions, path, 1);
      continue;
    }
    // Errors are counted and kept by path: searching all errors at each union would take quadratic time.
    const { types } = union;
    const alone = union.count === types.length;
    const dropped = types.splice(alone ? 1 : 0);
    const [first] = types;
    const typeError = first === undefined ? undefined : kept[first];
    if (first !== undefined && typeError !== undefined) {
      const type = [first, ...dropped].flatMap((index) => kept[index]?.params["type"]);
      kept[first] = { ...typeError, params: { ...typeError.params, type } };
    }
    for (const index of dropped) kept[index] = undefined;
    count(unions, path, -dropped.length);
  }
  return kept.filter((error) => error !== undefined);
}

/** A union without a matching branch. (`oneOf` also fails if two match; that is a different fault.) */
function isUnion({ keyword, params }: AjvErrorLike): boolean {
  return keyword === "anyOf" || (keyword === "oneOf" && !Array.isArray(params["passingSchemas"]));
}

/** Counts the errors at a path in each union that contains it. */
function count(unions: ReadonlyMap<string, UnionErrors>, path: string, by: number): void {
  if (unions.size === 0) return;
  for (let end = path.length; end >= 0; end = end > 0 ? path.lastIndexOf("/", end - 1) : -1) {
    const union = unions.get(path.slice(0, end));
    if (union) union.count += by;
  }
}
