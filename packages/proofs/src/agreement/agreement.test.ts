/**
 * The tools agree on what a schema means: the client's validators and types, the host's judges of requests and of answers, the
 * sampler, the gate and the reference. Each is compared with what the document says to the letter.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { report } from "../report.ts";
import { composedBy } from "./composed.ts";
import { compareForms } from "./gate.ts";
import { judgeValues } from "./judged.ts";
import { compareReference } from "./reference.ts";
import { own, older, stranger } from "./schemas.cases.ts";
import { subjectOf, type Source } from "./subject.ts";
import { Tally } from "./tally.ts";
import { assign } from "./types.ts";

// `pnpm exec vitest run --project agreement` tries more values of more schemas, and the equal forms of all of them.
const isLong = process.env["AGREEMENT"] === "whole";
const { AGREEMENT_SEEDS: ownSeeds } = process.env;
const seeds = (ownSeeds ?? (isLong ? "11,12,13,14,15,16,17,18" : "11,12,13")).split(",").map(Number);

const cache = join(import.meta.dirname, "../../.cache");
const named: readonly Source[] = [
  { name: "stranger", schemas: stranger },
  { name: "own", schemas: own, isOurs: true },
  { name: "older", schemas: older, version: "3.0.3" },
];
const random = seeds.map((seed): Source => ({ name: `seed${seed}`, schemas: composedBy(seed, 80) }));
const tally = new Tally();

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "agreement-"));
  try {
    const pending = [];
    for (const source of [...named, ...random]) {
      const subject = await subjectOf(source, folder);
      const isNamed = named.includes(source);
      pending.push(...judgeValues(tally, subject, isLong ? 60 : isNamed ? 40 : 24));
      if (isLong || isNamed || source === random[0]) compareForms(tally, subject, folder, isLong || isNamed ? 40 : 0);
      compareReference(tally, subject);
    }
    const { refused, errors } = assign(folder, pending);
    for (const one of pending) one.tell(!refused.has(one));
    for (const error of errors) {
      const [document = "", ...what] = error.split("/");
      tally.differences.push({
        kind: "compiler",
        document,
        schema: "",
        what: what.join("/"),
        says: "does not compile",
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const all = [...named, ...random];
  tally.write(
    join(cache, "agreement.txt"),
    ({ document, schema }) => all.find(({ name }) => name === document)?.schemas[schema],
  );
});

it("tells of no difference on the named schemas, and of ten at most on three times eighty at random", () => {
  const { schemas, values, valid, unsaid, forms, differences } = tally;
  const compared = `The tools were compared on ${values} values of ${schemas} schemas (${valid} valid, ${unsaid} left out)`;
  report(
    "agreement",
    `${compared} and on ${forms} equal forms: ${differences.length} differences in .cache/agreement.txt.`,
  );
  const names = new Set(named.map(({ name }) => name));
  expect(differences.filter(({ document }) => names.has(document))).toEqual([]);
  // Known reasons: the maker of values finds none that matches one member of a `oneOf` alone; unions of unions, three deep,
  // are merged otherwise by the gate, and by types than by validators.
  expect(differences.length).toBeLessThanOrEqual((10 / 3) * seeds.length);
});

it("looks at valid and at invalid values of each schema", () => {
  expect(tally.oneSided).toEqual([]);
  expect(tally.schemas).toBeGreaterThan(100 + 80 * seeds.length);
});

it("rewrites schemas without a change of meaning", () => {
  expect(tally.unequal).toEqual([]);
  expect(tally.forms).toBeGreaterThan(1000);
});

it("leaves out at most 5 % of the values, of which types can say nothing", () => {
  expect(tally.unsaid / tally.values).toBeLessThan(0.05);
});

it("leaves the values of other tests to a witness that reads schemas itself", () => {
  const source = readFileSync(join(import.meta.dirname, "../../../testing/src/arbitrary.ts"), "utf8");
  const imports = [...source.matchAll(/ from "([^"]+)"/g)].map(([, from]) => from);
  expect(imports).toEqual(["@trainyard/core/validation", "fast-check"]);
});
