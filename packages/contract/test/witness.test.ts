import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "@trainyard/codegen/generate";
import { DocumentError } from "@trainyard/document/files";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare } from "../src/compare/service.ts";
import type { Document } from "../src/document.ts";
import type { JsonObject } from "../src/json.ts";
import { refusals } from "../src/report/sentence.ts";
import { type Fault, clientFolder, compileProbes } from "../src/witness/compile.ts";
import { probes } from "../src/witness/probes.ts";
import { expected, faultsInWords, mustCompile } from "../src/witness/witness.ts";
import { cases } from "./cases/all.ts";
import { Draft, baseOf } from "./draft.ts";
import { rows } from "./gate/all.ts";

const temporary = mkdtempSync(join(tmpdir(), "trainyard-witness-test-"));

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe("the compiler in comparison with the rules", { tags: ["long"] }, () => {
  const service = "auxiliary";
  const base = baseOf(service);
  const draft = new Draft(service);
  draft.take("HardwareOption/required", "pricing");
  const changes = compare(base, draft.document);
  const lines = probes(base, draft.document);
  let faults: readonly Fault[] = [];

  beforeAll(async () => {
    const folders = { base: join(temporary, "base"), now: join(temporary, "now"), folder: join(temporary, "program") };
    mkdirSync(folders.folder);
    await make(folders.base, service, base.root);
    cpSync(folders.base, folders.now, { recursive: true });
    const schema = join(clientFolder(folders.now, service), "schema.ts");
    const text = readFileSync(schema, "utf8");
    writeFileSync(schema, text.replace("pricing: HardwarePricing", "pricing?: HardwarePricing"));
    faults = (await compileProbes(new Map([[service, lines]]), folders)).get(service) ?? [];
  });

  it("reports what no longer compiles, at the location where it is read", () => {
    const about = faults.map(({ probe }) => probe.about);
    expect(about).toEqual([
      "The answer of hardware.list",
      "A HardwareOptions that is read",
      "A HardwareOption that is read",
    ]);
  });

  it("says so in one sentence", () => {
    expect(faultsInWords(faults)).toEqual([
      "The answer of hardware.list (and 2 more) no longer compiles, and no change there is called breaking: " +
        "Property 'pricing' is optional in type 'HardwareOption' but required in type 'HardwareOption'.",
    ]);
  });

  it("becomes one refusal, which says where to look", () => {
    const types = { probes: lines.length, faults: faultsInWords(faults) };
    expect(refusals({ service, changes: [], types }).map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/ in type 'HardwareOption'\. The rules call this change harmless, but .* types\.$/),
    ]);
  });

  it("has no say if a change is breaking", () => {
    expect(changes.map(({ kind, verdict }) => [kind, verdict])).toEqual([["property-optional", "breaking"]]);
    expect(mustCompile(changes)).toBe(false);
  });

  it("expects all to compile but for what an accepted change ends", () => {
    const acceptance = { file: ".changeset/a.md", location: "HardwareOption.pricing", reason: "It was never sent." };
    const accepted = changes.map((change) => ({ ...change, accepted: acceptance }));
    expect(mustCompile(accepted)).toBe(true);
    const left = expected(base, draft.document, accepted);
    expect(lines.filter((line) => !left.some((one) => one.line === line.line)).length).toBeGreaterThan(3);
    expect(faults.map(({ probe }) => left.some(({ line }) => line === probe.line))).toEqual([false, false, false]);
    expect(left.map(({ about }) => about)).toContain("The answer of objects.read");
  });
});

interface Judged {
  readonly name: string;
  readonly service: string;
  readonly before: Document;
  readonly now: () => Document;
}

/** Each kind of change, and each row of the gate's table. */
const judged: readonly Judged[] = [
  ...cases.map(({ name, service, edit }) => {
    const now = (): Document => {
      const draft = new Draft(service);
      edit(draft);
      return draft.document;
    };
    return { name, service, before: baseOf(service), now };
  }),
  ...rows,
];

/**
 * Rows of which the generated types say more than the schemas: the place of a tuple may be missing, names by a pattern are those of
 * a map, and `$defs` is a property. The compiler refuses them in a check, whatever the rules say.
 */
const inTypesAlone = [
  "sent: names by a pattern are exempt from closing",
  "sent: an object becomes one of two",
  "read: a place is added that could hold anything",
  "read: a place is added that is stricter than the other items",
  "sent: a place is removed that was stricter than the other items",
  "sent: a place of a tuple like the other items, to the short form",
  "read: a place of a tuple like the other items, from the short form",
  "sent: a definition inside the schema, for its content",
  "sent: the content of a definition inside the schema",
];

/** Some ten minutes: `pnpm exec vitest run --project changes`. */
it.runIf(process.env["TRAINYARD_ALL_WITNESS"] !== undefined)(
  "agrees on each kind of change",
  { timeout: 3_600_000 },
  async () => {
    const found: Record<string, readonly string[]> = {};
    const withoutClient: string[] = [];
    const bases = new Map<Document, string | undefined>();
    const clients = async (service: string, document: Document): Promise<string | undefined> => {
      const folder = mkdtempSync(join(temporary, "clients-"));
      return (await make(folder, service, document.root)) ? folder : undefined;
    };
    for (const { name, service, before, now } of judged) {
      const document = now();
      const changes = compare(before, document);
      if (!mustCompile(changes)) continue;
      if (!bases.has(before)) bases.set(before, await clients(service, before));
      const [old, own] = [bases.get(before), await clients(service, document)];
      if (old === undefined || own === undefined) {
        withoutClient.push(name);
        continue;
      }
      const program = mkdtempSync(join(temporary, "program-"));
      const lines = expected(before, document, changes);
      const faults = await compileProbes(new Map([[service, lines]]), { base: old, now: own, folder: program });
      found[name] = faultsInWords(faults.get(service) ?? []);
      if (service === "small") rmSync(old, { recursive: true });
      rmSync(own, { recursive: true });
    }
    const refused = Object.entries(found).filter(([, sentences]) => sentences.length > 0);
    expect(refused.filter(([name]) => !inTypesAlone.includes(name))).toEqual([]);
    expect(refused.map(([name]) => name)).toEqual(expect.arrayContaining(inTypesAlone));
    // Of a few no client can be made, which the generator says.
    expect(withoutClient.length).toBeLessThan(judged.length / 10);
  },
);

async function make(folder: string, service: string, document: JsonObject): Promise<boolean> {
  mkdirSync(join(folder, "openapi", service), { recursive: true });
  mkdirSync(join(folder, "packages", service), { recursive: true });
  writeFileSync(join(folder, "openapi", service, "openapi.yaml"), JSON.stringify(document));
  writeFileSync(join(folder, "packages", service, "package.json"), "{}");
  try {
    await generate(folder);
    return true;
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  }
}
