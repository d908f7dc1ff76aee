import { expect, it } from "vitest";
import { describeRules, furtherRules, ownDescription } from "./rules.ts";

const rules = [
  { id: "by-step", basis: "adopted", text: "They come by step." },
  { id: "old-cursor", basis: "proposed", text: "A cursor may be old." },
];

it("puts the rules of an object into its description, each with its basis", () => {
  const document = { paths: { "/v1": { get: { description: "Lists them.\n", "x-rules": rules } } }, name: "x-rules" };
  const operation = describeRules(document).paths["/v1"].get;
  expect(operation.description).toBe("Lists them.\n\nThey come by step. (adopted)\n\nA cursor may be old. (proposed)");
  expect(operation["x-rules"]).toEqual(rules);
  expect(document.paths["/v1"].get.description).toBe("Lists them.\n");
});

it("is idempotent, and can restore the description without the rules", () => {
  const once = describeRules({ description: "Lists them.", "x-rules": rules });
  expect(describeRules(once)).toEqual(once);
  expect(ownDescription(once)).toBe("Lists them.");
  expect(describeRules({ "x-rules": rules.slice(0, 1) })).toMatchObject({
    description: "They come by step. (adopted)",
  });
  expect(ownDescription({ description: "Alone." })).toBe("Alone.");
});

it("continues a description with its first rules, as long as they have its basis", () => {
  const around = { "x-basis": "adopted", items: { description: "Lists them.", "x-rules": rules } };
  const { items } = describeRules(around);
  expect(items.description).toBe("Lists them. They come by step.\n\nA cursor may be old. (proposed)");
  expect(describeRules({ ...around, items })).toMatchObject({ items });
  expect(ownDescription(items)).toBe("Lists them. They come by step.");
  expect(furtherRules(items)).toEqual(rules.slice(1));
});
