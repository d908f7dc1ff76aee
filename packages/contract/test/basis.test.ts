import { join } from "node:path";
import { expect, it } from "vitest";
import { bases, facts } from "../src/basis/fact.ts";
import { basisFormats } from "../src/basis/report.ts";
import { Document } from "../src/document.ts";
import { bundle } from "./draft.ts";

const root = join(import.meta.dirname, "../../..");
const all = ["auxiliary", "inference"].flatMap((service) => facts(root, new Document(service, bundle(service))));

it("lists every place that says where it comes from, once, with its line", () => {
  const marks = JSON.stringify([bundle("auxiliary"), bundle("inference")]).match(/"x-basis":"/g) ?? [];
  expect(all).toHaveLength(marks.length);
  expect(all).toContainEqual({
    service: "auxiliary",
    basis: "interface",
    subject: "operation",
    place: "hardware.list",
    at: { file: "openapi/auxiliary/paths/hardware-list.yaml", line: expect.any(Number) },
  });
  expect(all.map(({ place, subject }) => `${subject} ${place}`)).toEqual(
    expect.arrayContaining([
      "schema ModelList",
      "property ModelList.data",
      "response hardware.list › 200",
      "document info",
    ]),
  );
});

it("counts them by service and basis, the same in each format", () => {
  const counts = bases.map((basis) => all.filter((fact) => fact.basis === basis).length);
  const json: unknown = JSON.parse(basisFormats["json"]?.(all) ?? "");
  expect(json).toMatchObject({
    counts: Object.fromEntries(bases.map((basis, index) => [basis, counts[index]])),
    services: [{ service: "auxiliary", counts: { operation: { interface: 3 } } }, { service: "inference" }],
  });
  expect(basisFormats["text"]?.(all)).toContain(
    `All services: ${bases.map((basis, index) => `${counts[index]} ${basis}`).join(", ")}.`,
  );
  const markdown = basisFormats["markdown"]?.(all) ?? "";
  expect(markdown.match(/^- /gm)).toHaveLength(all.length);
  expect(markdown).toContain("## auxiliary\n\n| | proposed | adopted | interface |");
});
