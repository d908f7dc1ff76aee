import { join } from "node:path";
import { expect, it } from "vitest";
import { bases } from "@trainyard/document";
import { facts } from "../src/basis/fact.ts";
import { basisFormats } from "../src/basis/report.ts";
import { Document } from "../src/document.ts";
import { isObject } from "@trainyard/core/validation";
import { bundle } from "./draft.ts";

const root = join(import.meta.dirname, "../../..");
const all = ["auxiliary", "inference"].flatMap((service) => facts(root, new Document(service, bundle(service))));

it("lists every location with a basis once, with its line", () => {
  const marks = JSON.stringify([bundle("auxiliary"), bundle("inference")]).match(/"x-basis":"/g) ?? [];
  expect(all.filter(({ subject }) => subject !== "rule")).toHaveLength(marks.length);
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
      "response models.list › 400",
      "document info",
    ]),
  );
});

it("counts them by service and basis, with the same result in each format", () => {
  const counts = bases.map((basis) => all.filter((fact) => fact.basis === basis).length);
  const json: unknown = JSON.parse(basisFormats["json"]?.(all) ?? "");
  expect(json).toMatchObject({
    counts: Object.fromEntries(bases.map((basis, index) => [basis, counts[index]])),
    services: [{ service: "auxiliary", counts: { operation: { interface: 3 } } }, { service: "inference" }],
  });
  expect(basisFormats["text"]?.(all)).toContain(
    `All services: ${bases.map((basis, index) => `${counts[index]} ${basis}`).join(", ")}.`,
  );
});

it("lists each rule of a location with its own basis and text", () => {
  const document = new Document("auxiliary", bundle("auxiliary"));
  const operation = document.at("/paths/~1obj~1read/post").value;
  if (!isObject(operation)) throw new Error("There is no such operation.");
  operation["x-rules"] = [
    { basis: "adopted", text: "A digest is read as one of four things." },
    { basis: "proposed", text: "A deleted version is a 404." },
  ];
  const rules = facts(root, document).filter(({ place, subject }) => subject === "rule" && place === "objects.read");
  expect(rules.map(({ basis, text }) => [basis, text])).toEqual([
    ["adopted", "A digest is read as one of four things."],
    ["proposed", "A deleted version is a 404."],
  ]);
  expect(basisFormats["text"]?.(rules)).toContain("objects.read: A deleted version is a 404.");
  expect(JSON.parse(basisFormats["json"]?.(rules) ?? "")).toMatchObject({
    services: [{ facts: [{ subject: "rule", text: "A digest is read as one of four things." }, {}] }],
  });
});
