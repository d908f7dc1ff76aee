import { expect, it } from "vitest";
import { compare } from "../src/compare/service.ts";
import { cases } from "./cases/all.ts";
import { Draft, baseOf, summary } from "./draft.ts";

it.each(cases)("$service: $name", ({ service, edit, expected }) => {
  const draft = new Draft(service);
  edit(draft);
  const changes = compare(baseOf(service), draft.document);
  expect(summary(changes)).toEqual(expected.map((row) => row.join(" ")).sort());
});
