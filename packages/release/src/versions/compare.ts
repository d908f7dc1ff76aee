import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  compareDocuments,
  type Documents,
  Failure,
  git,
  readReleased,
  type ServiceComparison,
  toDocument,
} from "@trainyard/contract";

const generated = "packages/*/src/generated/openapi.json";
const bundle = /^packages\/([^/]+)\/src\/generated\/openapi\.json$/;

/**
 * Compares the contract in the current clients with that of a commit. It reads the generated bundles, which takes
 * milliseconds; bundling both sides would take seconds.
 *
 * @throws {@link Failure} if the commit cannot be read
 */
export function compareContract(root: string, commit: string): ServiceComparison[] {
  const files = git(root, "ls-tree", "-r", "--name-only", commit, "--", "packages");
  if (files === undefined) throw new Failure(`Git could not read ${commit}. Fetch it, or name another revision.`);
  const before = documents(files.split("\n"), (file) => git(root, "show", `${commit}:./${file}`) ?? "");
  const now = globSync(generated, { cwd: root });
  return compareDocuments(
    root,
    before,
    documents(now, (file) => readFileSync(join(root, file), "utf8")),
  );
}

/**
 * The changes of each service's contract since its last release, without services that were never released.
 */
export function compareWithReleased(root: string): ReadonlyMap<string, ServiceComparison> {
  const now = documents(globSync(generated, { cwd: root }), (file) => readFileSync(join(root, file), "utf8"));
  const pairs = [...now].flatMap(([service, document]) => {
    const released = readReleased(root, service);
    return released === undefined ? [] : [[service, released, document] as const];
  });
  const before = new Map(pairs.map(([service, released]) => [service, released]));
  const after = new Map(pairs.map(([service, , document]) => [service, document]));
  return new Map(compareDocuments(root, before, after).map((comparison) => [comparison.service, comparison]));
}

function documents(files: readonly string[], read: (file: string) => string): Documents {
  const entries = files.flatMap((file) => {
    const service = bundle.exec(file.replaceAll("\\", "/"))?.[1];
    return service === undefined ? [] : [[service, toDocument(service, JSON.parse(read(file)))] as const];
  });
  return new Map(entries);
}
