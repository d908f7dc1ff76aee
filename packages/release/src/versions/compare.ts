import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  compareDocuments,
  type Documents,
  Failure,
  git,
  type ServiceComparison,
  toDocument,
} from "@trainyard/contract";

const bundle = /^packages\/([^/]+)\/src\/generated\/openapi\.json$/;

/**
 * Compares the contract as the clients of now have it with that of a commit. Read from what was generated, it takes
 * milliseconds, where bundling both sides takes seconds.
 *
 * @throws {@link Failure} where the commit cannot be read.
 */
export function compareContract(root: string, commit: string): ServiceComparison[] {
  const files = git(root, "ls-tree", "-r", "--name-only", commit, "--", "packages");
  if (files === undefined) throw new Failure(`Git could not read ${commit}. Fetch it, or name another revision.`);
  const before = documents(files.split("\n"), (file) => git(root, "show", `${commit}:./${file}`) ?? "");
  const now = globSync("packages/*/src/generated/openapi.json", { cwd: root });
  return compareDocuments(
    root,
    before,
    documents(now, (file) => readFileSync(join(root, file), "utf8")),
  );
}

function documents(files: readonly string[], read: (file: string) => string): Documents {
  const entries = files.flatMap((file) => {
    const service = bundle.exec(file.replaceAll("\\", "/"))?.[1];
    return service === undefined ? [] : [[service, toDocument(service, JSON.parse(read(file)))] as const];
  });
  return new Map(entries);
}
