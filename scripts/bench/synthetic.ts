import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const library = join(root, "packages/codegen/fixtures/library");

/** The folder of a repository with what `generate` reads, and nothing generated yet. */
export function unmade(services: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  cpSync(join(root, "openapi"), join(folder, "openapi"), { recursive: true });
  for (const service of services) {
    mkdirSync(join(folder, "packages", service), { recursive: true });
    cpSync(join(root, "packages", service, "package.json"), join(folder, "packages", service, "package.json"));
  }
  return folder;
}

/** A repository with one service of `count` operations, each with schemas of its own: the same document, larger. */
export function synthetic(count: number): string {
  const folder = mkdtempSync(join(tmpdir(), "trainyard-bench-"));
  cpSync(library, folder, { recursive: true });
  const atlas = join(folder, "openapi/atlas");
  const parts = (file: string): string => readFileSync(join(library, "openapi/atlas", file), "utf8");
  const create = parts("paths/maps-create.yaml");
  const request = parts("schemas/NewMap.yaml");
  const answer = parts("schemas/Map.yaml");
  const head = parts("openapi.yaml");
  const paths: string[] = [];
  for (let index = 1; index <= count; index++) {
    const operation = create
      .replace("create_map_v1_maps_post", `create_map_${index}_post`)
      .replace("maps.create", `maps${index}.create`)
      .replaceAll(/(NewMap|Map)\.yaml/g, `$1${index}.yaml`);
    writeFileSync(join(atlas, `paths/maps${index}-create.yaml`), operation);
    writeFileSync(join(atlas, `schemas/NewMap${index}.yaml`), request);
    writeFileSync(join(atlas, `schemas/Map${index}.yaml`), answer);
    paths.push(`  /v1/maps${index}:\n    post: { $ref: paths/maps${index}-create.yaml }\n`);
  }
  const text = head.replace(/^paths:\n[^]*^components:/m, `paths:\n${paths.join("")}components:`);
  writeFileSync(join(atlas, "openapi.yaml"), text);
  return folder;
}
