import * as core from "@trainyard/core";
import { expect, it } from "vitest";
import { coreExports } from "./name-faults.ts";

it("lists every value and type that core exports", () => {
  const names = coreExports;
  expect([...names]).toEqual(expect.arrayContaining(Object.keys(core)));
  for (const type of ["ApiPromise", "ClientOptions", "PagePromise"]) expect(names).toContain(type);
});
