import { execFile } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generate } from "@trainyard/codegen/generate";
import { type Made, makeNew } from "../src/new/command.ts";
import { Plan } from "../src/new/plan.ts";

const repository = join(import.meta.dirname, "../../..");
const root = mkdtempSync(join(tmpdir(), "trainyard-new-test-"));
const run = promisify(execFile);

function make(...args: string[]): Promise<Made> {
  return makeNew(root, args);
}

/** All files and folders, without the dependencies of a package, which are thousands. */
function files(): string[] {
  return globSync("**", { cwd: root, exclude: (name) => name === "node_modules" }).sort();
}

const handlers = "packages/server/src/handlers/auxiliary.ts";
const operation = ["operation", "auxiliary", "objects.ribbons.create"] as const;
const path = "/obj/{object_id}/ribbons";

beforeAll(() => {
  const parts = [
    "openapi/auxiliary",
    "openapi/common",
    "redocly.yaml",
    ".oxfmtrc.json",
    "packages/codegen/src",
    handlers,
  ];
  for (const part of parts) cpSync(join(repository, part), join(root, part), { recursive: true });
  mkdirSync(join(root, "packages/samples/auxiliary"), { recursive: true });
  cpSync(join(repository, "packages/samples/package.json"), join(root, "packages/samples/package.json"));
  cpSync(join(repository, "packages/samples/.oxfmtrc.json"), join(root, "packages/samples/.oxfmtrc.json"));
  // A package is found by its manifest; what it imports, where the repository has it.
  for (const name of ["auxiliary", "tollbooth"]) {
    mkdirSync(join(root, "packages", name, "node_modules/@trainyard"), { recursive: true });
  }
  rmSync(join(root, "packages/tollbooth"), { recursive: true });
  writeFileSync(join(root, "packages/auxiliary/package.json"), '{ "type": "module" }');
  const redocly = readFileSync(join(root, "redocly.yaml"), "utf8");
  writeFileSync(join(root, "redocly.yaml"), redocly.replace(/^ {2}(?!auxiliary:)\w+:\n {4}root: openapi.*\n/gm, ""));
  symlinkSync(join(repository, "packages/codegen/node_modules"), join(root, "packages/codegen/node_modules"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it("restores what it wrote if a file cannot be written", () => {
  const before = files();
  const document = readFileSync(join(root, "openapi/auxiliary/openapi.yaml"), "utf8");
  const plan = new Plan(root);
  plan.create("openapi/auxiliary/new/Ribbon.yaml", "type: object\n");
  plan.edit("openapi/auxiliary/openapi.yaml", (text) => `${text}# more\n`);
  plan.create("redocly.yaml/Ribbon.yaml", "a file is no folder");
  expect(() => plan.apply()).toThrow(/ENOTDIR|EEXIST/);
  expect(files()).toEqual(before);
  expect(readFileSync(join(root, "openapi/auxiliary/openapi.yaml"), "utf8")).toBe(document);
});

describe("an invalid request is rejected, and writes nothing", () => {
  it.each<[string, string[], string]>([
    ["an unknown kind", ["thing"], '"thing" cannot be made. Choose operation, schema or service.'],
    [
      "an unknown service",
      ["schema", "tollbooth", "Ribbon"],
      'There is no service "tollbooth". The services are: auxiliary.',
    ],
    [
      "a schema that is there",
      ["schema", "auxiliary", "Metric"],
      "openapi/auxiliary/schemas/Metric.yaml already exists.",
    ],
    ["a schema that is common", ["schema", "auxiliary", "Choice"], "openapi/common/schemas/Choice.yaml already exists"],
    ["a schema in small letters", ["schema", "auxiliary", "note"], '"note" is not a valid name of a schema.'],
    [
      "a reference to nothing",
      ["schema", "auxiliary", "Ribbon", "--property", "a:Nothing"],
      "The schema Nothing does not exist",
    ],
    [
      "a property given twice",
      ["schema", "auxiliary", "Ribbon", "--property", "a:string", "--property", "a:integer"],
      "twice",
    ],
    ["a basis of its own", ["schema", "auxiliary", "Ribbon", "--basis", "sure"], '"sure" is not a valid basis.'],
    ["no verb", [...operation, "--path", path], "Verb (get, post, put, patch, delete) is required: give --verb."],
    ["no path", [...operation, "--verb", "post"], "is required: give --path."],
    ["an unknown verb", [...operation, "--verb", "fetch", "--path", path], '"fetch" is not a valid verb.'],
    ["a path that is none", [...operation, "--verb", "get", "--path", "obj"], '"obj" is not a valid path.'],
    ["a body of a GET", [...operation, "--verb", "get", "--path", path, "--body", "Ribbon"], "A GET has no body."],
    ["pages of a POST", [...operation, "--verb", "post", "--path", path, "--page"], "Pages are read with a GET."],
    [
      "pages of what has no id",
      [...operation, "--verb", "get", "--path", path, "--answer", "Metric", "--page"],
      "Metric has no `id` to use as the cursor of",
    ],
    [
      "a method that is there",
      ["operation", "auxiliary", "objects.read", "--verb", "get", "--path", "/x"],
      "already exists",
    ],
    [
      "a method that is a group",
      ["operation", "auxiliary", "objects.read.all", "--verb", "get", "--path", "/x"],
      "cannot both exist",
    ],
    [
      "a path that is there",
      ["operation", "auxiliary", "a.b", "--verb", "post", "--path", "/obj/read"],
      "POST /obj/read already exists",
    ],
    [
      "a key without its conflict",
      [...operation, "--verb", "post", "--path", path, "--resend", "with-key"],
      "IdempotencyConflict",
    ],
    ["a service that is there", ["service", "auxiliary"], "openapi/auxiliary already exists."],
    ["a service that Windows refuses", ["service", "aux"], 'A service cannot be called "aux"'],
    ["a service called as a package", ["service", "codegen"], "packages/codegen already exists."],
    ["a service with a hyphen", ["service", "toll-booth"], '"toll-booth" is not a valid name of a service.'],
    ["an unknown flag", ["service", "tollbooth", "--colour", "red"], "--colour"],
  ])("%s", async (_, args, message) => {
    const before = files();
    await expect(make(...args)).rejects.toThrow(message);
    expect(files()).toEqual(before);
  });
});

describe("what is created", () => {
  let made: Made;

  beforeAll(async () => {
    await make("schema", "auxiliary", "Ribbon", "--property", "text:string", "--property", "end?:date-time|null");
    const described = ["--description", "It is tied to an object"];
    const ribbons = [...operation, "--verb", "post", "--path", path, "--body", "Ribbon", "--answer", "ObjSchema"];
    made = await make(...ribbons, ...described);
    await make("operation", "auxiliary", "bows.delete", "--verb", "delete", "--path", "/bows/{bow_id}", ...described);
    const list = ["operation", "auxiliary", "bows.knots.list", "--verb", "get", "--path", "/bows/{bow_id}/knots"];
    await make(...list, "--answer", "Knot", "--page", ...described);
    await make(
      "service",
      "tollbooth",
      "--method",
      "invoices.list",
      "--path",
      "/invoices",
      "--title",
      "Tollbooth service",
    );
    const invoices = join(root, "openapi/tollbooth/paths/invoices-list.yaml");
    const [before, after] = ["description: List invoices.", "description: The invoices of an account."];
    const written = readFileSync(invoices, "utf8");
    if (!written.includes(before)) throw new Error(`${invoices} has no line "${before}".`);
    writeFileSync(invoices, written.replace(before, after));
    const modules = join(root, "packages/tollbooth/node_modules/@trainyard");
    mkdirSync(modules, { recursive: true });
    for (const name of ["auxiliary", "tollbooth"]) {
      symlinkSync(join(repository, "packages/core"), join(root, "packages", name, "node_modules/@trainyard/core"));
    }
    symlinkSync(join(repository, "node_modules/vitest"), join(root, "packages/tollbooth/node_modules/vitest"));
  });

  const bin = (name: string): string => join(repository, "node_modules/.bin", name);

  it("follows the style guide and the format", { tags: ["long"] }, async () => {
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const documents = ["auxiliary", "tollbooth"].map((name) => `openapi/${name}/openapi.yaml`);
    const [lint, format] = await Promise.all([
      run(bin("redocly"), ["lint", ...documents], { cwd: root, env }),
      run(bin("oxfmt"), ["--check", "openapi", "packages/tollbooth", "packages/samples", handlers, "redocly.yaml"], {
        cwd: root,
      }),
    ]);
    expect(lint.stderr).toContain("tollbooth/openapi.yaml: validated");
    expect(lint.stderr).toContain("Your API descriptions are valid");
    expect(format.stdout).toContain("All matched files use the correct format");
  });

  it("lets the local server answer each operation with an example, and says so", () => {
    const text = readFileSync(join(root, handlers), "utf8");
    const count = (one: string): number => one.split(": byExample").length - 1;
    for (const name of ["bows.delete", "bows.knots.list", "objects.ribbons.create"])
      expect(text).toContain(`    "${name}": byExample,\n`);
    // Others may stand there already.
    expect(count(text)).toBe(count(readFileSync(join(repository, handlers), "utf8")) + 3);
    expect(text).not.toMatch(/tollbooth|invoices/);
    expect(made.files).toContain(handlers);
    expect(made.notes).toEqual([expect.stringContaining("returns an example for objects.ribbons.create")]);
  });

  it("shows each operation in each language", () => {
    const sample = (file: string): string => readFileSync(join(root, "packages/samples/auxiliary", file), "utf8");
    expect(readdirSync(join(root, "packages/samples/auxiliary")).sort()).toEqual(
      ["bows-delete", "bows-knots-list", "objects-ribbons-create"].flatMap((name) => [
        `${name}.py`,
        `${name}.sh`,
        `${name}.ts`,
      ]),
    );
    expect(sample("bows-delete.ts")).toContain("await auxiliary.bows.delete(");
    expect(sample("objects-ribbons-create.sh")).toContain(`-d '{\n    "text": "demo text"\n  }'`);
    expect(sample("objects-ribbons-create.py")).toContain('method="POST"');
  });

  it("adds the service to the packages that show every service", () => {
    expect(readdirSync(join(root, "packages/samples/tollbooth")).sort()).toEqual(
      ["py", "sh", "ts"].map((ending) => `invoices-list.${ending}`),
    );
    const manifest: unknown = JSON.parse(readFileSync(join(root, "packages/samples/package.json"), "utf8"));
    expect(manifest).toHaveProperty(["dependencies", "@trainyard/tollbooth"], "workspace:^");
  });

  it("generates clients that compile", { tags: ["long"] }, async () => {
    const bundle = readFileSync(join(repository, "packages/auxiliary/src/generated/openapi.json"), "utf8");
    const count = bundle.split('"operationId":').length - 1;
    const { outcomes, withoutPackage } = await generate(root);
    expect(withoutPackage).toEqual([]);
    expect(outcomes.map(({ service, operations }) => [service, operations])).toEqual([
      ["auxiliary", count + 3],
      ["tollbooth", 1],
    ]);
    const client = readFileSync(join(root, "packages/auxiliary/src/generated/client.ts"), "utf8");
    expect(client).toContain(
      "list(bowId: string, query?: BowsKnotsListQuery, options?: CallOptions): PagePromise<Knot>",
    );
    expect(client).toContain("create(objectId: string, body: Ribbon, options?: CallOptions): ApiPromise<ObjSchema>");
    const compilerOptions = {
      noEmit: true,
      rootDir: "/",
      customConditions: ["@trainyard/source"],
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      isolatedDeclarations: false,
      declaration: false,
      declarationMap: false,
    };
    writeFileSync(
      join(root, "tsconfig.json"),
      JSON.stringify({
        extends: join(repository, "tsconfig.base.json"),
        compilerOptions,
        include: ["packages/*/src/generated/client.ts", "packages/tollbooth/src/*.ts"],
      }),
    );
    await expect(run(bin("tsc"), ["-p", "tsconfig.json"], { cwd: root })).resolves.toMatchObject({ stdout: "" });
  });
});
