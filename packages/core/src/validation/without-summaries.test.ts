import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { AjvErrorLike } from "./index.ts";
import { withoutSummaries } from "./without-summaries.ts";

const isUnion = ({ keyword, params }: AjvErrorLike): boolean =>
  keyword === "anyOf" || (keyword === "oneOf" && !Array.isArray(params["passingSchemas"]));

/** A simple, quadratic reference: each union searches all errors kept before it. */
function plainly(errors: readonly AjvErrorLike[]): AjvErrorLike[] {
  let kept: AjvErrorLike[] = [];
  for (const error of errors) {
    if (error.keyword === "if" || error.propertyName !== undefined) continue;
    const path = error.instancePath;
    const nested = kept.filter((e) => e.instancePath === path || e.instancePath.startsWith(`${path}/`));
    const types = nested.filter((e) => e.keyword === "type" && e.instancePath === path);
    const [first, ...others] = types;
    if (!isUnion(error) || nested.length === 0) kept.push(error);
    else if (nested.length > types.length) kept = kept.filter((e) => !types.includes(e));
    else if (first) {
      const all = { ...first, params: { ...first.params, type: types.flatMap((e) => e.params["type"]) } };
      kept = kept.filter((e) => !others.includes(e)).map((e) => (e === first ? all : e));
    }
  }
  return kept;
}

const errors = fc.array(
  fc
    .tuple(
      fc.constantFrom("", "/a", "/a/b", "/a/b/0", "/ab", "/a/c", "/"),
      fc.constantFrom("type", "type", "anyOf", "anyOf", "oneOf", "minimum", "if"),
      fc.nat(),
    )
    .map(([instancePath, keyword, id]): AjvErrorLike => {
      const params = { type: `t${id % 5}`, ...(id % 7 === 0 && { passingSchemas: [0, 1] }) };
      return { keyword, instancePath, schemaPath: String(id), params, ...(id % 11 === 0 && { propertyName: "p" }) };
    }),
  { maxLength: 20 },
);

it("keeps the same errors as the quadratic reference", () => {
  fc.assert(
    fc.property(errors, (list) => {
      expect(withoutSummaries(list)).toEqual(plainly(list));
    }),
    { numRuns: 3000 },
  );
});

it("checks each of many errors only a few times", () => {
  const looks = (unions: number): number => {
    let count = 0;
    const at = (index: number, keyword: string): AjvErrorLike => ({
      get keyword() {
        count++;
        return keyword;
      },
      instancePath: `/items/${index}`,
      schemaPath: "",
      params: { type: "string" },
    });
    const list = Array.from({ length: unions }, (_, i) => [at(i, "type"), at(i, "type"), at(i, "anyOf")]).flat();
    expect(withoutSummaries(list)).toHaveLength(unions);
    return count;
  };
  expect(looks(2000) / looks(1000)).toBeLessThan(2.2);
});
