import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  compareDocuments,
  type Documents,
  Failure,
  git,
  goneServices,
  readReleased,
  type ServiceComparison,
  toDocument,
} from "@trainyard/contract";

const generated = "packages/*/src/generated/openapi.json";
const bundle = /^packages\/([^/]+)\/src\/generated\/openapi\.json$/;

/**
 * Compares the contract with that of a commit. By default both sides are the generated bundles: reading them takes
 * milliseconds, and bundling would take seconds.
 *
 * @throws {@link Failure} if the commit cannot be read
 */
export function compareContract(
  root: string,
  commit: string,
  now: Documents = documentsNow(root),
): ServiceComparison[] {
  const files = git(root, "ls-tree", "-r", "--name-only", commit, "--", "openapi", "packages");
  if (files === undefined) throw new Failure(`Git could not read ${commit}. Fetch it, or name another revision.`);
  const before = documents(files.split("\n"), (file) => git(root, "show", `${commit}:./${file}`) ?? "");
  return compareDocuments(root, before, now);
}

/**
 * The changes of each service's contract since its last release, without services that were never released.
 */
export function compareWithReleased(root: string): ReadonlyMap<string, ServiceComparison> {
  const now = documentsNow(root);
  const released = [...now.keys(), ...goneServices(root)].flatMap((service) => {
    const document = readReleased(root, service);
    return document === undefined ? [] : [[service, document] as const];
  });
  const before = new Map(released);
  const after = new Map([...now].filter(([service]) => before.has(service)));
  return new Map(compareDocuments(root, before, after).map((comparison) => [comparison.service, comparison]));
}

function documentsNow(root: string): Documents {
  const files = globSync([generated, "openapi/*/openapi.yaml"], { cwd: root });
  return documents(files, (file) => readFileSync(join(root, file), "utf8"));
}

/** The bundles among these files. The bundle of a service without a document is left over, and not read. */
function documents(files: readonly string[], read: (file: string) => string): Documents {
  const all = new Set(files.map((file) => file.replaceAll("\\", "/")));
  const entries = [...all].flatMap((file) => {
    const service = bundle.exec(file)?.[1];
    return service === undefined || !all.has(`openapi/${service}/openapi.yaml`)
      ? []
      : [[service, toDocument(service, JSON.parse(read(file)))] as const];
  });
  return new Map(entries);
}
