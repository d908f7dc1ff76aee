import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { editorSchemas, kinds, schemaFolder } from "./kinds.ts";

const root = join(import.meta.dirname, "../../../../..");
const ajv = addFormats.default(
  new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }),
);
const validators = new Map<string, ValidateFunction>(
  [...editorSchemas()].map(([name, text]) => [name.replace(".json", ""), ajv.compile(JSON.parse(text))]),
);

const files = readdirSync(join(root, "openapi"), { recursive: true, encoding: "utf8" })
  .map((file) => `openapi/${file.replaceAll("\\", "/")}`)
  .filter((file) => file.endsWith(".yaml") && !file.startsWith("openapi/flows/"));

function kindsOf(file: string): string[] {
  return Object.entries(kinds).flatMap(([kind, files]) => (matchesGlob(file, files) ? [kind] : []));
}

/** What an editor underlines in a file of this kind. */
function faults(kind: string, text: string): string[] {
  const validate = validators.get(kind);
  if (validate === undefined) throw new Error(`There is no schema for ${kind}.`);
  validate(parse(text));
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

it("matches the schemas in the repository, which `pnpm editor` writes", () => {
  const folder = join(root, schemaFolder);
  const written = readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8"))]);
  const wanted = [...editorSchemas()].map(([name, text]) => [name, JSON.parse(text)]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(wanted));
});

it("assigns a schema to every file", () => {
  const settings = JSON.parse(readFileSync(join(root, ".vscode/settings.json"), "utf8"));
  expect(settings["yaml.schemas"]).toEqual(
    Object.fromEntries(Object.entries(kinds).map(([kind, files]) => [`./${schemaFolder}/${kind}.json`, [files]])),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => kindsOf(file).length !== 1)).toEqual([]);
});

it.each(Object.keys(kinds))("finds no fault in any %s", (kind) => {
  const own = files.filter((file) => kindsOf(file)[0] === kind);
  expect(own.length).toBeGreaterThan(0);
  const found = own.map((file) => [file, faults(kind, readFileSync(join(root, file), "utf8"))]);
  expect(found.filter(([, faults]) => faults?.length !== 0)).toEqual([]);
});

/** Slips of the hand in real files: kind, file, what is written, and what the editor is to name. */
const slips: [kind: string, file: string, right: string | RegExp, wrong: string, named: string][] = [
  ["operation", "training/paths/models-log.yaml", "x-resend:", "x-resent:", "x-resent"],
  ["operation", "training/paths/models-log.yaml", "with-key", "with key", "/x-resend"],
  ["operation", "training/paths/models-log.yaml", "x-basis: interface", "x-basis: interfaces", "/x-basis"],
  ["operation", "training/paths/models-log.yaml", "models.log", "models-log", "/x-client-method"],
  ["operation", "training/paths/models-log.yaml", "x-timeout: 600", "x-timeout: 60", "/x-timeout"],
  ["operation", "training/paths/models-log.yaml", '"401"', '"4O1"', "4O1"],
  ["operation", "training/paths/models-log.yaml", "schema: {}", "shema: {}", "shema"],
  ["operation", "training/paths/models-log.yaml", "requestBody:", "requestbody:", "requestbody"],
  ["operation", "training/paths/models-log.yaml", "ModelId.yaml", "ModelId.yml", "/parameters/0/$ref"],
  ["operation", "inference/paths/chat-completions-create.yaml", "toggle:", "togle:", "togle"],
  ["operation", "training/paths/models-checkpoints-list.yaml", "more: has_more", "mehr: has_more", "mehr"],
  ["schema", "training/schemas/TrajectoryGroup.yaml", "x-sensitive: true", "x-sensitive: false", "/x-sensitive"],
  ["schema", "training/schemas/TrajectoryGroup.yaml", "description: Lines", "desciption: Lines", "desciption"],
  ["schema", "training/schemas/TrajectoryGroup.yaml", "type: array", "type: list", "/properties/trajectories/type"],
  ["schema", "training/schemas/TrajectoryGroup.yaml", "required: [", "require: [", "require"],
  ["schema", "training/schemas/CreateModelRequest.yaml", "default: false", "defualt: false", "defualt"],
  ["schema", "training/schemas/Model.yaml", "format: uuid", "format: guid", "/format"],
  ["schema", "common/schemas/Message.yaml", "propertyName:", "property:", "propertyName"],
  ["parameter", "common/parameters/Limit.yaml", "in: query", "in: querry", "/in"],
  ["parameter", "common/parameters/CompatProject.yaml", "x-client-option: project", "x-client-option: 1", "/x-client"],
  ["parameter", "common/parameters/Limit.yaml", "maximum: 100", "maximum: hundred", "/schema/maximum"],
  ["header", "common/headers/RequestId.yaml", "schema:", "scheme:", "scheme"],
  ["response", "training/responses/ModelNotFound.yaml", "headers:", "header:", "header"],
  ["response", "training/responses/ModelNotFound.yaml", "x-basis: adopted", "x-basis: adapted", "/x-basis"],
  ["example", "common/examples/chat-plain.yaml", "value:", "values:", "values"],
  ["security-scheme", "common/security/basicKey.yaml", "scheme: basic", "scheme: basics", "/scheme"],
  ["document", "training/openapi.yaml", "  version: ", "  version: v", "/info/version"],
  ["document", "training/openapi.yaml", "    post:", "    pst:", "pst"],
  ["document", "training/openapi.yaml", "3.1.0", "3.2.0", "/openapi"],
];

describe("a mistake is reported at its location", () => {
  it.each(slips)("%s %s: %s → %s", (kind, file, right, wrong, named) => {
    const text = readFileSync(join(root, "openapi", file), "utf8");
    const slipped = text.replace(right, wrong);
    expect(slipped).not.toBe(text);
    expect(faults(kind, slipped).join("\n")).toContain(named);
  });
});
