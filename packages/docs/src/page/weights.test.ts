import * as fc from "fast-check";
import { expect, it } from "vitest";
import { packWeights, unpackWeights } from "./weights.ts";

it("restores every bit of the weights", () => {
  const rows = fc.array(fc.array(fc.constantFrom(0, -0, 1, 0.1, -7.25, 3e-39), { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(rows, (some) => {
      const weights = Float32Array.from(some.flat());
      expect(new Uint32Array(unpackWeights(packWeights(weights, 5)).buffer)).toEqual(new Uint32Array(weights.buffer));
    }),
  );
});
