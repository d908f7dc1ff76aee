import { type Json } from "@trainyard/document";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import { kinds } from "../src/kinds.ts";
import { isObject, joinPointer as join } from "@trainyard/core/validation";
import { tries } from "@trainyard/testing";
import { cases } from "./cases/all.ts";
import { Draft, bundle } from "./draft.ts";
import { changesOf, rows } from "./gate/all.ts";

const services = ["training", "inference", "auxiliary"];

const documents = new Map(services.map((service) => [service, new Document(service, bundle(service))]));

/** The current document. Every location in it is tried. */
function nowOf(service: string): Document {
  return documents.get(service) ?? new Document(service, bundle(service));
}

/** Every pointer of a document, but the root. */
function pointers(value: Json, at: string = ""): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [join(at, index), ...pointers(item, join(at, index))]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [join(at, key), ...pointers(item, join(at, key))]);
}

const locations = services.flatMap((service) => {
  // What an example shows is compared as a whole, and a version is no change but the answer to changes.
  const all = pointers(bundle(service)).filter((pointer) => !/\/examples?\/.+\/|^\/info\/version$/.test(pointer));
  return all.map((pointer) => ({ service, pointer }));
});

/** Something else of the same type. */
function other(value: Json): Json {
  if (typeof value === "string") return `${value} `;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value, "x-unheard-of"];
  return isObject(value) ? { ...value, "x-unheard-of": 1 } : 0;
}

describe("every change is found", () => {
  it.each(["changed", "removed"] as const)("in what is %s", (how) => {
    fc.assert(
      fc.property(fc.constantFrom(...locations), ({ service, pointer }) => {
        const draft = new Draft(service, bundle(service));
        if (how === "removed") draft.remove(pointer);
        else draft.set(pointer, other(draft.get(pointer)));
        let found: number;
        try {
          found = compare(nowOf(service), draft.document).length;
        } catch (error) {
          // A reference without a target, and an unknown dialect, throw an error that names them, and never pass.
          expect(error).toMatchObject({ message: expect.stringMatching(/refers to|`x-trainyard` is 2/) });
          return;
        }
        expect(found).toBeGreaterThan(0);
      }),
      tries(200),
    );
  });

  it("finds nothing if nothing has changed, in any order of keys", () => {
    for (const service of services) {
      const reversed = reverse(bundle(service));
      if (!isObject(reversed)) throw new Error("A document is an object.");
      expect(compare(nowOf(service), new Document(service, reversed))).toEqual([]);
    }
  });
});

function reverse(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverse);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]): [string, Json] => [key, reverse(item)])
      .toReversed(),
  );
}

it("has a case for every kind of change", () => {
  const judged = rows.flatMap((row) => changesOf(row).map(({ kind }) => kind));
  const met = new Set<string>([...cases.flatMap(({ expected }) => expected.map(([, kind]) => kind)), ...judged]);
  // Tried with small documents or with whole services, in shapes.test.ts.
  const elsewhere = ["service-added", "body-required", "header-required", "union-looser"];
  expect(Object.keys(kinds).filter((kind) => !met.has(kind))).toEqual(elsewhere);
  expect(met.size).toBeGreaterThanOrEqual(45);
});
