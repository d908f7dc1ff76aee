import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dialect } from "@trainyard/document";
import type { Case, Cases, Failure } from "./cases.ts";
import { rules } from "./style-guide.ts";
import { taken } from "./rules/operations.ts";

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly source: { readonly ref: string }; readonly pointer: string }[];
  }[];
}

const here = dirname(fileURLToPath(import.meta.url));
/** The cases of each rule, which are in the file of its name. */
const tables = Object.fromEntries(
  await Promise.all(
    Object.keys(rules).map(async (name): Promise<[string, Cases]> => {
      const { cases }: { cases: Cases } = await import(`./rules/${name}.cases.ts`);
      return [name, cases];
    }),
  ),
);
const folder = mkdtempSync(join(tmpdir(), "lint-rules-"));
const reports = new Map<Case, Report>();

// One run of the command lints all cases: half a second instead of a minute.
beforeAll(() => {
  const all = Object.values(tables).flatMap(({ pass, fail }) => Object.values(pass).concat(Object.values(fail)));
  const documents = all.map(({ document, files }, index) => {
    for (const [path, content] of Object.entries({ ...files, "openapi.yaml": document })) {
      const file = join(folder, String(index), path.replace("{case}", String(index)));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(content, undefined, 2));
    }
    return join(String(index), "openapi.yaml");
  });
  const config = {
    telemetry: "off",
    plugins: [join(here, "plugin.ts")],
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`trainyard/${name}`, "error"])),
  };
  writeFileSync(join(folder, "redocly.yaml"), JSON.stringify(config));
  const texts = lint(documents).split(/(?<=^\})(?=\{)/m);
  if (texts.length !== all.length) throw new Error(`${all.length} documents gave ${texts.length} reports.`);
  all.forEach((each, index) => reports.set(each, JSON.parse(texts[index] ?? "")));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command, which exits with an error if cases fail; only its report counts. */
function lint(documents: readonly string[]): string {
  const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const script = [command, "lint", ...documents, "--format=json", "--max-problems=1000"];
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" };
  try {
    return execFileSync(process.execPath, script, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 2 ** 28,
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error && typeof error.stdout === "string" && error.stdout !== "") {
      return error.stdout;
    }
    throw error;
  }
}

function problemsOf(rule: string, each: Case): { says: string; at: string; file: string }[] {
  return (reports.get(each)?.problems ?? [])
    .filter(({ ruleId }) => ruleId === `trainyard/${rule}`)
    .map(({ message, location: [place] }) => ({
      says: message,
      at: place?.pointer ?? "",
      file: place?.source.ref.replaceAll("\\", "/").replace(/^\d+\//, "") ?? "",
    }));
}

it("judges no document that does not use the dialect", () => {
  const foreign = Object.values(tables).flatMap(({ fail }) =>
    Object.values(fail).map(({ document }) => ({ ...document, [dialect.version.key]: undefined })),
  );
  const files = foreign.map((document, index) => {
    writeFileSync(join(folder, `foreign-${index}.json`), JSON.stringify(document));
    return `foreign-${index}.json`;
  });
  expect(lint(files)).not.toContain('"ruleId": "trainyard/');
});

it("is enabled as an error in redocly.yaml", () => {
  const config = readFileSync(join(here, "../../../../redocly.yaml"), "utf8");
  const on = [...config.matchAll(/^ {2}trainyard\/([\w-]+): error$/gm)].map(([, name]) => name);
  expect(new Set(on)).toEqual(new Set(Object.keys(rules)));
});

describe.each(Object.entries(tables))("%s", (rule, { pass, fail }) => {
  it.each(Object.entries<Case>(pass))("accepts %s", (_, each) => {
    expect(problemsOf(rule, each)).toEqual([]);
  });

  it.each(Object.entries<Failure>(fail))("rejects %s", (_, each) => {
    const { says, at, file = "openapi.yaml" } = each;
    expect(problemsOf(rule, each)).toEqual([{ says, at, file }]);
  });

  it("has sentences as messages", () => {
    for (const { says } of Object.values(fail)) expect(says).toMatch(/^[A-Z`].*\.$/);
  });

  it("has cases that pass and cases that fail", () => {
    expect(Object.keys(pass)).not.toEqual([]);
    expect(Object.keys(fail)).not.toEqual([]);
  });
});

it("gives no client option the name of an option of every client or call", () => {
  const text = readFileSync(join(here, "../../../core/src/options.ts"), "utf8");
  const options = [...text.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
  expect(options).toContain("allowKeyInBrowser");
  const missing = options.filter((name = "") => !taken.has(name));
  expect(missing, "Add them to commonOptions in packages/document/src/names.ts").toEqual([]);
});
