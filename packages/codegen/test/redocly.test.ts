/** @module-tag long */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { redocly, warmRedocly } from "@trainyard/document/files";

const library = join(import.meta.dirname, "../fixtures/library/openapi");
const document = "openapi/atlas/openapi.yaml";

function folder(edit: (text: string) => string): string {
  const root = mkdtempSync(join(tmpdir(), "trainyard-warm-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(library, join(root, "openapi"), { recursive: true });
  writeFileSync(join(root, "redocly.yaml"), "telemetry: off\nextends: []\nrules:\n  struct: error\n");
  const file = join(root, "openapi/atlas/paths/hours-get.yaml");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
  return root;
}

/** The parts that differ from run to run, and from folder to folder. */
const plain = (text: string, root: string): string => text.replaceAll(/\d+ms/g, "").replaceAll(root, "");

it("prints the same as a new process, in every run", async () => {
  const run = warmRedocly(() => Promise.reject(new Error("It was not run warm.")));
  const good = folder((text) => text);
  const lost = folder((text) => text.replace("OpeningHours.yaml", "OpeningDays.yaml"));
  const wrong = folder((text) => text.replace("operationId:", "operationIdentity:"));
  const runs: [string, string[]][] = [
    [lost, ["bundle", document, "-o", "bundle.json"]],
    [good, ["bundle", document, "-o", "bundle.json"]],
    [wrong, ["lint", document]],
    [good, ["lint", document]],
  ];
  const cold = await Promise.all(runs.map(([root, args]) => redocly(args, root)));
  const text = readFileSync(join(good, "bundle.json"), "utf8");
  rmSync(join(good, "bundle.json"));
  const warm = await Promise.all(runs.map(([root, args]) => run(args, root)));
  expect(cold.map(({ code }) => code)).toEqual([1, 0, 1, 0]);
  runs.forEach(([root, args], at) => {
    const [one, other] = [cold[at], warm[at]];
    expect([args, other?.code]).toEqual([args, one?.code]);
    expect(plain(other?.text ?? "", root)).toBe(plain(one?.text ?? "", root));
  });
  expect(readFileSync(join(good, "bundle.json"), "utf8")).toBe(text);
});

it("falls back to a new process", async () => {
  const run = warmRedocly((args, cwd) => Promise.resolve({ code: 0, text: `${args.join(" ")} in ${cwd}` }));
  // The folder does not exist.
  expect(await run(["lint"], "/nowhere/at/all")).toEqual({ code: 0, text: "lint in /nowhere/at/all" });
});
