/** @module-tag long */
import { flowFiles, goThroughFlows } from "@trainyard/testing";
import { expect, it } from "vitest";
import { startMock } from "../src/mock.ts";

it("goes through every flow of the guides", async () => {
  await using mock = await startMock({ port: 0 });
  const output = await goThroughFlows(mock.addresses, { key: "a-key-for-the-mock" });
  for (const file of flowFiles()) expect(output).toContain(`✓ ${file.split("/").at(-1)}`);
}, 120_000);
