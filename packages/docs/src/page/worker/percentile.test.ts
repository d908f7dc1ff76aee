import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { interpolate } from "./percentile.ts";

it("interpolates like the SQLite of Node", () => {
  const database = new DatabaseSync(":memory:");
  const statement = database.prepare("select percentile(value, :p) as value from json_each(:values)");
  const numbers = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 100 }), (values, p) => {
      const expected = Number(statement.get({ p, values: JSON.stringify(values) })?.["value"]);
      expect(interpolate(values, p)).toBeCloseTo(expected, 6);
    }),
  );
  database.close();
});
