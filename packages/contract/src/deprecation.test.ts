import { expect, it } from "vitest";
import { compare } from "./compare/service.ts";
import type { Release } from "@trainyard/document";
import { deprecatedIn, departures } from "./deprecation.ts";
import { Document } from "./document.ts";
import type { JsonObject } from "./json.ts";

function service(properties: JsonObject): Document {
  const schema = { $ref: "#/components/schemas/Map" };
  const responses = { "200": { description: "A map.", content: { "application/json": { schema } } } };
  return new Document("atlas", {
    openapi: "3.1.0",
    info: { title: "Atlas", version: "1.2.0" },
    paths: { "/v1/maps": { get: { operationId: "get_map", responses } } },
    components: { schemas: { Map: { type: "object", "x-basis": "interface", properties } } },
  });
}

const properties: JsonObject = {
  id: {},
  name: { type: "string", deprecated: true },
  note: { type: "string", "x-basis": "proposed" },
};
const released = service(properties);
const name = "/components/schemas/Map/properties/name";

function release(contract: string, date: string, ...deprecated: string[]): Release {
  return { version: contract, date, contract: { atlas: contract }, deprecated: { atlas: deprecated } };
}

/** What is missing before a property leaves. */
function missingFor(property: string, releases: readonly Release[], today: string): string | undefined {
  const now = service(Object.fromEntries(Object.entries(properties).filter(([key]) => key !== property)));
  const [change] = compare(released, now);
  if (change === undefined) throw new Error("Nothing has changed.");
  return departures(change, released, releases, today)[0]?.missing;
}

it("lists the locations of everything that is deprecated", () => {
  expect(deprecatedIn(released)).toEqual([name]);
});

it.each<[string, string, Release[], string, string | undefined]>([
  [
    "was never marked",
    "id",
    [release("1.0.0", "2026-01-01")],
    "2026-12-01",
    "Map.id leaves and was never released as deprecated.",
  ],
  ["is only proposed", "note", [release("1.0.0", "2026-01-01")], "2026-12-01", undefined],
  [
    "stayed for long enough",
    "name",
    [release("1.2.0", "2026-03-01", name), release("1.1.0", "2026-01-01", name), release("1.0.0", "2025-01-01")],
    "2026-04-01",
    undefined,
  ],
  [
    "was marked in one minor version",
    "name",
    [release("1.1.0", "2026-01-01", name), release("1.0.0", "2025-01-01")],
    "2026-12-01",
    "it may leave after 1 more minor version.",
  ],
  [
    "was marked for a month",
    "name",
    [release("1.2.0", "2026-01-20", name), release("1.1.0", "2026-01-01", name)],
    "2026-02-01",
    "Map.name leaves and is deprecated since 1.1.0 of 2026-01-01, for 31 days: it may leave from 2026-04-01 on.",
  ],
  [
    "was not marked in between",
    "name",
    [release("1.3.0", "2026-03-01", name), release("1.2.0", "2026-02-01"), release("1.1.0", "2025-01-01", name)],
    "2026-12-01",
    "since 1.3.0 of 2026-03-01",
  ],
])("checks what is removed and %s", (_, property, releases, today, sentence) => {
  const found = missingFor(property, releases, today);
  if (sentence === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(sentence);
});
