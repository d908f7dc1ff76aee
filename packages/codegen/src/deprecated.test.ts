import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announcements } from "@trainyard/document";
import { expect, it } from "vitest";
import { generated, library } from "../test/library.ts";
import { generate } from "./generate.ts";
import { readService } from "./read-service.ts";

/** The library, with deprecated constants and a deprecated variant. */
function agingLibrary(): string {
  const folder = "openapi/atlas";
  return library({
    [`${folder}/schemas/Map.yaml`]: (text) =>
      text.replace(
        "  keeper:",
        "  paper: { oneOf: [{ const: new }, { const: old, deprecated: true, description: Replaced by new. }], description: Its paper. }\n  keeper:",
      ),
    [`${folder}/schemas/FeatureOrPin.yaml`]: (text) =>
      text.replace("Pin.yaml\n", "Pin.yaml\n    deprecated: true\n    description: Replaced by `Feature`.\n"),
  });
}

async function schemaOf(root: string): Promise<string> {
  await generate(root);
  return readFileSync(join(generated(root), "schema.ts"), "utf8");
}

it("says in the comments of types which of their parts are deprecated", async () => {
  const schema = await schemaOf(agingLibrary());
  expect(schema).toContain('   * Its paper.\n   *\n   * `"old"` is deprecated. Replaced by new.\n');
  expect(schema).toContain(" * `Pin` is deprecated. Replaced by `Feature`.\n");
});

it("says since which release, which nobody writes into a document", async () => {
  const root = agingLibrary();
  const { bundle } = await readService(root, "atlas");
  const names = announcements(bundle).map(({ name }) => name);
  const releases = [
    { version: "3.0.0", date: "2026-03-01", contract: { atlas: "1.2.0" }, deprecated: { atlas: names } },
    { version: "2.9.0", date: "2026-02-01", contract: { atlas: "1.1.0" }, deprecated: { atlas: names } },
    { version: "2.8.0", date: "2026-01-01", contract: { atlas: "1.0.0" } },
  ];
  writeFileSync(join(root, "openapi/releases.json"), JSON.stringify(releases));
  const schema = await schemaOf(root);
  expect(schema).toContain('   * `"old"` is deprecated since 1.1.0. Replaced by new.\n');
  expect(schema).toContain(" * `Pin` is deprecated since 1.1.0. Replaced by `Feature`.\n");
  expect(schema).toContain("  /** @deprecated Since 1.1.0. Replaced by the library itself. */\n  keeper?: string;\n");
  expect(readFileSync(join(generated(root), "openapi.json"), "utf8")).not.toContain("since");
});
