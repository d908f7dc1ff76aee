/** @module-tag long */
/**
 * The tests of JSON Schema 2020-12 that every validator has to pass: our validators and our host pass each that plain Ajv
 * passes, and those of names such as `toString`. Debian's `libtest-json-schema-acceptance-perl` has these tests, or a clone
 * of the suite that the variable JSON_SCHEMA_TEST_SUITE names.
 */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ajvOptions, faultsOf, isObject, optionsFor, prepareSchema } from "@trainyard/core/validation";
import { validatorOf } from "@trainyard/host";
import { markdownTable } from "@trainyard/terminal/table";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { report } from "./report.ts";

const folder = process.env["JSON_SCHEMA_TEST_SUITE"] ?? "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance";
const table = "strangers/SCHEMA-SUITE.md";
const missing = existsSync(folder) ? undefined : "needs Debian's libtest-json-schema-acceptance-perl";

interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

type Verdict = "valid" | "invalid" | "not compiled";

const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), "utf8"));
const remotes = missing ? [] : globSync("**/*.json", { cwd: join(folder, "remotes") });

/** What Ajv does not do as the specification says, by the file of the tests. */
const exceptions: Readonly<Record<string, string>> = {
  "dynamicRef.json": "Ajv finds a dynamic anchor only where its schema has been entered before.",
  "format.json": "Formats are validated, which the specification permits.",
  "ref.json": "Ajv does not resolve a relative `$id` below another one.",
  "unevaluatedItems.json": "Ajv does not count the items that `contains` matches.",
  "unevaluatedProperties.json": "Ajv forgets what `if` evaluated, if there is no `then`.",
  "unknownKeyword.json": "Ajv looks for `$id` in keywords that it does not know.",
  "vocabulary.json": "Ajv does not read which vocabularies a metaschema has.",
};

/** An Ajv with the other schemas that those of the suite refer to. */
function newAjv(options: object = {}, schema: object | boolean = true): Ajv2020 {
  const ajv = new Ajv2020({ ...ajvOptions, ...options });
  Object.assign(ajv.opts, isObject(schema) && optionsFor(schema));
  for (const file of remotes)
    if (!/draft[3-7]|draft2019|draft-next|^v1/.test(file))
      ajv.addSchema(read("remotes", file), `http://localhost:1234/${file.replaceAll("\\", "/")}`);
  return ajv;
}

function verdictOf(judge: () => boolean): Verdict {
  try {
    return judge() ? "valid" : "invalid";
  } catch {
    return "not compiled";
  }
}

/** A validator of one schema; compiled once, like the schemas of a document. */
function lazily(compile: () => (value: unknown) => boolean): (value: unknown) => Verdict {
  let judge: (value: unknown) => boolean;
  return (value) => verdictOf(() => (judge ??= compile())(value));
}

it.skipIf(missing)(`we pass what Ajv passes of JSON Schema's own tests${missing ? `: ${missing}` : ""}`, async () => {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const differences: object[] = [];
  const failed = new Map<string, number>();
  for (const file of readdirSync(join(folder, "tests/draft2020-12")).filter((name) => name.endsWith(".json"))) {
    const groups: Group[] = read("tests/draft2020-12", file);
    for (const { description, schema, tests } of groups) {
      const plain = lazily(() => newAjv({ discriminator: false, code: {} }).compile(schema));
      const ours = lazily(() => {
        const prepared = isObject(schema) ? prepareSchema(schema) : schema;
        const validate = newAjv({}, prepared).compile(prepared);
        return (value) => {
          const isValid = validate(value);
          if (!isValid) expect([value, faultsOf(validate.errors ?? [], value)]).not.toEqual([value, []]);
          return isValid;
        };
      });
      // A schema without an address of its own can be a document that a host serves.
      const isServed = isObject(schema) && !/"\$id":|"\$ref":"http/.test(JSON.stringify(schema));
      const host = lazily(() => (value) => validatorOf(Object(schema)).at("#", value).length === 0);
      for (const { description: test, data, valid } of tests) {
        const expected = valid ? "valid" : "invalid";
        const verdicts = { Ajv: plain(data), ours: ours(data), ...(isServed && { host: host(data) }) };
        count("all tests");
        if (verdicts.ours !== expected) failed.set(file, (failed.get(file) ?? 0) + 1);
        for (const [name, verdict] of Object.entries(verdicts)) {
          if (verdict === expected) count(`right: ${name}`);
          else if (verdicts.Ajv === expected || (name !== "Ajv" && exceptions[file] === undefined))
            differences.push({ file, description, test, name, verdicts });
        }
        if (isServed) count("tests of a host");
      }
    }
  }
  report(
    "schema-suite",
    `Of ${counts.get("all tests")} tests of JSON Schema 2020-12, Ajv passes ${counts.get("right: Ajv")}, and our validators ${counts.get("right: ours")}; of the ${counts.get("tests of a host")} that a document can hold, our host ${counts.get("right: host")}.`,
  );
  expect(differences).toEqual([]);
  const status = join(folder, "submodule_status");
  // A clone may have other tests.
  if (existsSync(status))
    await expect(tableOf(counts, failed, readFileSync(status, "utf8"))).toMatchFileSnapshot(table);
});

/** The counts, and why our validators do not pass the others, as Markdown. */
function tableOf(counts: ReadonlyMap<string, number>, failed: ReadonlyMap<string, number>, commit: string): string {
  const row = (name: string, all: string) => [
    "JSON Schema 2020-12, required",
    `commit ${commit.slice(0, 7)}`,
    name,
    `${counts.get(`right: ${name}`)} of ${counts.get(all)}`,
  ];
  const rows = [row("Ajv", "all tests"), row("ours", "all tests"), row("host", "tests of a host")];
  const lines = [...failed].map(([file, count]) => `- ${file}, ${count} of them: ${exceptions[file]}\n`);
  return `# JSON Schema's own tests

Written by \`pnpm exec vitest run --project strangers-contracts -u\`, and checked without \`-u\`. A host serves the schemas that have no address of
their own.

${markdownTable([["suite", "version", "validator", "passed"], ...rows])}

## Exceptions of ours

${lines.join("")}`;
}
