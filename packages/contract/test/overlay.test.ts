/** @module-tag long */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, ownOptions } from "@trainyard/codegen/generate";
import { applyOverlay } from "@trainyard/document/files";
import { expect, it, onTestFinished } from "vitest";
import { verdictFor } from "../src/change.ts";
import { compare } from "../src/compare/service.ts";
import { Document } from "../src/document.ts";
import { toDocument } from "../src/document.ts";
import { bundle } from "./draft.ts";

const repository = join(import.meta.dirname, "../../..");
const files = ["schema.ts", "client.ts", "client.test-d.ts", "openapi.json", "openapi.yaml"];

// The sample stands where an operator's own would: outside of the documents that it is put over.
it("applies an operator's names to the neutral documents, and removes them again", async () => {
  const root = mkdtempSync(join(tmpdir(), "trainyard-overlay-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(repository, "openapi"), join(root, "openapi"), { recursive: true });
  mkdirSync(join(root, "packages/training"), { recursive: true });
  writeFileSync(join(root, "packages/training/package.json"), "{}");
  const folder = "packages/training/src/generated";
  const texts = (base: string): string[] => files.map((file) => readFileSync(join(base, folder, file), "utf8"));
  const neutral = texts(repository);

  const overlay = join(repository, "packages/samples/overlays/acme-training.overlay.yaml");
  const { missed } = await generate(root, { ...ownOptions, overlays: [overlay] });
  expect(missed).toEqual([]);
  const read = (text = ""): Document => toDocument("training", JSON.parse(text));
  const [before, now] = [read(neutral[3]), read(texts(root)[3])];
  expect(now.at("/info/title").value).toBe("Acme training");
  expect(now.at("/servers/1/url").value).toBe("https://training.acme.example");
  expect(texts(root)[0]).toContain("acme-artifact:///entity/project/name:version");
  // Names alone: the methods, and what goes over the wire, stay as they are, but for the address that is now known.
  const changes = compare(before, now).filter((change) => verdictFor(change, "source") === "breaking");
  expect(changes.map(({ kind }) => kind)).toEqual([]);

  await generate(root, ownOptions);
  expect(texts(root)).toEqual(neutral);
});

it("reads the keys that an operator adds for other tools as words", () => {
  const targets = ["$.info", "$.paths.*.get", "$.paths.*.*.parameters.*", "$.components.schemas.*"];
  const update = { "x-acme-tier": { level: 1 } };
  const actions = targets.map((target, index) => ({ target, update, remove: false, line: index + 1 }));
  const now = new Document("training", applyOverlay(bundle("training"), { file: "acme.overlay.yaml", actions }));
  const changes = compare(new Document("training", bundle("training")), now);
  expect(new Set(changes.map(({ kind, verdict }) => `${verdict} ${kind}`))).toEqual(
    new Set(["neutral foreign-key-changed"]),
  );
  expect(changes.length).toBeGreaterThan(100);
});
