import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announcements } from "@trainyard/document";
import { expect, it } from "vitest";
import { generated, library } from "../test/library.ts";
import { generate } from "./generate.ts";
import { readService } from "./read-service.ts";

/** The library, with something of each kind that leaves. */
function leavingLibrary(): string {
  const folder = "openapi/atlas";
  return library({
    [`${folder}/paths/maps-create.yaml`]: (text) =>
      text.replace("x-client-method: maps.create", "x-client-method: maps.add") +
      "x-leaving: [{ method: maps.create, until: 2.0.0, instead: maps.add }]\n",
    [`${folder}/paths/guide-ask.yaml`]: (text) =>
      text.replace(
        "    description: The answer.\n",
        "    description: The answer.\n    x-leaving: [{ media: text/event-stream, until: 2.0.0, instead: Ask again. }]\n",
      ),
    [`${folder}/schemas/Map.yaml`]: (text) =>
      text.replace(
        "  keeper:",
        "  paper: { enum: [old, new], description: Its paper., x-leaving: [{ value: old, until: 2.0.0, instead: Use new. }] }\n  keeper:",
      ),
    [`${folder}/schemas/FeatureOrPin.yaml`]: (text) =>
      text.replace("Pin.yaml\n", "Pin.yaml\n    deprecated: true\n    description: Replaced by `Feature`.\n"),
  });
}

async function clientOf(root: string): Promise<{ readonly client: string; readonly schema: string }> {
  await generate(root);
  const [client = "", schema = ""] = ["client.ts", "schema.ts"].map((file) =>
    readFileSync(join(generated(root), file), "utf8"),
  );
  return { client, schema };
}

it("gives a client both names of a method, and says in its comments and types what leaves", async () => {
  const { client, schema } = await clientOf(leavingLibrary());
  expect(client).toContain(
    "   * @deprecated `maps.create` is deprecated and stays until 2.0.0. Use `maps.add`.\n   */\n  create(body: NewMap, options?: KeyedCallOptions): ApiPromise<Map>;\n",
  );
  expect(client).toContain("wait as `Retry-After` says.\n   */\n  add(body: NewMap");
  expect(
    client.match(/^ +(?:add|create): \(body, options\) => call\("maps\.add", options, \{ body \}\),$/gm),
  ).toHaveLength(2);
  expect(client).toContain("   * `text/event-stream` is deprecated and stays until 2.0.0. Ask again.\n");
  expect(schema).toContain("   * Its paper.\n   *\n   * `old` is deprecated and stays until 2.0.0. Use new.\n");
  expect(schema).toContain(" * `Pin` is deprecated. Replaced by `Feature`.\n");
});

it("says since which release, which nobody writes into a document", async () => {
  const root = leavingLibrary();
  const { bundle } = await readService(root, "atlas");
  const names = announcements(bundle).map(({ name }) => name);
  const releases = [
    { version: "3.0.0", date: "2026-03-01", contract: { atlas: "1.2.0" }, deprecated: { atlas: names } },
    { version: "2.9.0", date: "2026-02-01", contract: { atlas: "1.1.0" }, deprecated: { atlas: names } },
    { version: "2.8.0", date: "2026-01-01", contract: { atlas: "1.0.0" } },
  ];
  writeFileSync(join(root, "openapi/releases.json"), JSON.stringify(releases));
  const { client, schema } = await clientOf(root);
  expect(client).toContain(
    "   * @deprecated `maps.create` is deprecated since 1.1.0 and stays until 2.0.0. Use `maps.add`.\n",
  );
  expect(client).toContain("   * `text/event-stream` is deprecated since 1.1.0 and stays until 2.0.0. Ask again.\n");
  expect(schema).toContain("   * `old` is deprecated since 1.1.0 and stays until 2.0.0. Use new.\n");
  expect(schema).toContain(" * `Pin` is deprecated since 1.1.0. Replaced by `Feature`.\n");
  expect(schema).toContain("  /** @deprecated Since 1.1.0. Replaced by the library itself. */\n  keeper?: string;\n");
  expect(readFileSync(join(generated(root), "openapi.json"), "utf8")).not.toContain("since");
});

it("refuses a former name that another method has", async () => {
  const root = library({
    "openapi/atlas/paths/maps-create.yaml": (text) =>
      `${text}x-leaving: [{ method: maps.list, until: 2.0.0, instead: maps.create }]\n`,
  });
  await expect(generate(root)).rejects.toThrow("Two operations have the method maps.list.");
});
