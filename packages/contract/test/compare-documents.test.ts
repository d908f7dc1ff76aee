import { join } from "node:path";
import { expect, it } from "vitest";
import { compareDocuments, toDocument } from "../src/index.ts";
import type { Document } from "../src/document.ts";
import { Draft } from "./draft.ts";

const repository = join(import.meta.dirname, "../../..");
/** Bundles of two services, to be edited. */
function drafts(): Record<"auxiliary" | "training", Draft> {
  const [auxiliary, training] = [new Draft("auxiliary"), new Draft("training")];
  auxiliary.set("/info/version", "1.4.0");
  return { auxiliary, training };
}
const before = documentsOf(drafts());

function documentsOf(all: Record<string, Draft>): Map<string, Document> {
  return new Map(Object.entries(all).map(([service, { document }]) => [service, document]));
}

it("returns each service's verdict, and each change as a line of Markdown", () => {
  const now = drafts();
  now.auxiliary.take("HardwareOption/required", "pricing");
  now.auxiliary.set("Metric/description", "One of the <numbers>.");
  const [auxiliary, training] = compareDocuments(repository, before, documentsOf(now));
  expect(auxiliary).toMatchObject({
    service: "auxiliary",
    verdict: "breaking",
    version: { revision: "1.4.0", needed: "1.0.0", right: false },
    changes: [{ verdict: "breaking", kind: "property-optional" }, { verdict: "neutral" }],
  });
  expect(auxiliary?.changes.map(({ markdown }) => markdown)).toEqual([
    "HardwareOption.pricing: The property `pricing` was made optional. " +
      "Breaks callers that read it from hardware.list (wire): Callers that read it may get nothing.",
    "Metric: `description` changed.",
  ]);
  expect(training).toMatchObject({ service: "training", verdict: "unchanged", changes: [] });
});

it("reports an added or removed service as a whole", () => {
  const other = toDocument("tollbooth", new Draft("auxiliary").document.root);
  const [auxiliary, tollbooth, training] = compareDocuments(repository, before, new Map([["tollbooth", other]]));
  expect(auxiliary).toMatchObject({ verdict: "breaking", whole: "removed" });
  expect(tollbooth).toMatchObject({ verdict: "additive", whole: "added" });
  expect(training).not.toHaveProperty("version");
});

it("names the place in a tuple and the pattern of a name", () => {
  const drafted = (type: string) => {
    const all = drafts();
    all.auxiliary.set("Metric/properties/json_path", {
      type: "object",
      patternProperties: { "^x-": { type: "array", prefixItems: [{ type: "null" }, { type }] } },
    });
    return documentsOf(all);
  };
  const [auxiliary] = compareDocuments(repository, drafted("string"), drafted("integer"));
  expect(auxiliary?.changes.map(({ markdown }) => markdown.split(": ")[0])).toEqual(["Metric.json_path./^x-/[1]"]);
});
