import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { bundle } from "../draft.ts";
import { factsOf, table, type Atom } from "./facts.ts";

const rows = table(parse(readFileSync(join(import.meta.dirname, "facts.yaml"), "utf8")));
const keys = new Set(rows.map(({ place, fact }) => `${place}: ${fact}`));
const read = new Set<string>();
const services = ["training", "inference", "auxiliary"];
const atoms = services.flatMap((service) => factsOf(service, bundle(service), rows, read));
const isFact = ({ place, fact }: Atom): boolean => keys.has(`${place}: ${fact}`);

it("has each fact of the interface in the documents", () => {
  const found = new Set(atoms.map(({ place, fact }) => `${place}: ${fact}`));
  const missing = rows.filter(({ place, fact }) => !found.has(`${place}: ${fact}`));
  expect(missing.map(({ section, place, fact }) => `${section} of the interface: ${place}: ${fact}`)).toEqual([]);
  expect(keys.size).toBeGreaterThan(450);
});

it("marks nothing `interface` that is not one of them", () => {
  const strange = atoms.filter((atom) => atom.basis === "interface" && !isFact(atom));
  expect([...new Set(strange.map(({ place, fact }) => `${place}: ${fact}`))]).toEqual([]);
});

it("marks a fact weaker only where its object says more than the interface", () => {
  const more = new Set(atoms.filter((atom) => !isFact(atom)).map(({ holder }) => holder));
  const weak = atoms.filter(
    ({ basis, holder, place }) =>
      ![undefined, "interface"].includes(basis) && !more.has(holder) && !/[\]}]$/.test(place),
  );
  expect(weak.map(({ place, fact, basis }) => `${place}: ${fact} is ${basis}`)).toEqual([]);
});
