import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../..");
/** The service that is the template of the synthetic one. */
export const service = "training";

/** A folder with the inputs of `generate`, and nothing generated yet. */
export function unmade(services: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  for (const service of services) {
    mkdirSync(join(folder, "packages", service), { recursive: true });
    cpSync(join(root, "packages", service, "package.json"), join(folder, "packages", service, "package.json"));
  }
  return folder;
}

/**
 * A repository with one service of `count` operations, each with two schemas of its own: copies of Create Model. They share
 * responses of errors, headers, and a parameter, as in a real service. Includes the style guide.
 */
export function synthetic(count: number): string {
  const folder = unmade([service]);
  for (const other of readdirSync(join(folder, "openapi")).filter((name) => ![service, "common"].includes(name)))
    rmSync(join(folder, "openapi", other), { recursive: true });
  const training = join(folder, "openapi", service);
  const part = (file: string): string => readFileSync(join(training, file), "utf8");
  const [create, request, answer] = ["paths/models-create", "schemas/CreateModelRequest", "schemas/Model"].map((name) =>
    part(`${name}.yaml`),
  ) as [string, string, string];
  const paths: string[] = [];
  for (let index = 1; index <= count; index++) {
    const operation = create
      .replace("preview_models_post", `preview_models${index}_post`)
      .replace("models.create", `models${index}.create`)
      .replaceAll(/schemas\/(CreateModelRequest|Model)\.yaml/g, `schemas/$1${index}.yaml`);
    writeFileSync(join(training, `paths/models${index}-create.yaml`), operation);
    writeFileSync(join(training, `schemas/CreateModelRequest${index}.yaml`), request);
    writeFileSync(join(training, `schemas/Model${index}.yaml`), answer);
    paths.push(`  /v1/preview/models${index}:\n    post:\n      $ref: paths/models${index}-create.yaml\n`);
  }
  const text = part("openapi.yaml").replace(/^paths:\n[^]*^components:/m, `paths:\n${paths.join("")}components:`);
  writeFileSync(join(training, "openapi.yaml"), text);
  const rules = readFileSync(join(root, "redocly.yaml"), "utf8").replace("packages/", `${root}/packages/`);
  writeFileSync(join(folder, "redocly.yaml"), rules);
  return folder;
}
