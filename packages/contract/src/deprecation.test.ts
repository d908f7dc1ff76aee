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
    "x-trainyard": 1,
    info: { title: "Atlas", version: "1.2.0" },
    paths: { "/v1/maps": { get: { operationId: "get_map", responses } } },
    components: { schemas: { Map: { type: "object", "x-basis": "interface", properties } } },
  });
}

const released = service({ id: {}, name: { type: "string", deprecated: true } });
const name = "/components/schemas/Map/properties/name";

function release(contract: string, date: string, ...deprecated: string[]): Release {
  return { version: contract, date, contract: { atlas: contract }, deprecated: { atlas: deprecated } };
}

it("lists the locations of everything that is deprecated", () => {
  expect(deprecatedIn(released)).toEqual([name]);
});

it.each<[string, Release[], string, string]>([
  [
    "was marked for a month",
    [release("1.2.0", "2026-01-20", name), release("1.1.0", "2026-01-01", name)],
    "2026-02-01",
    "Map.name leaves and is deprecated since 1.1.0 of 2026-01-01, for 31 days: it may leave from 2026-04-01 on.",
  ],
  [
    "was not marked in between",
    [release("1.3.0", "2026-03-01", name), release("1.2.0", "2026-02-01"), release("1.1.0", "2025-01-01", name)],
    "2026-12-01",
    "since 1.3.0 of 2026-03-01",
  ],
])("says since when the marks of what is removed count, if it %s", (_, releases, today, sentence) => {
  const [change] = compare(released, service({ id: {} }));
  expect(change && departures(change, released, releases, today)[0]?.missing).toContain(sentence);
});
