import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, readAcceptances, readDocuments, type ServiceComparison } from "@trainyard/contract";
import { ownChangesets } from "../versions/check.ts";
import { compareContract } from "../versions/compare.ts";
import { baseName, findBase } from "../versions/git.ts";
import { readChangesets } from "../versions/changeset.ts";
import { clientOf } from "../versions/clients.ts";
import { type Draft, putDrafts } from "./draft.ts";

/** Performs what follows from an edit of the documents, and reports each step. */
export interface ChangeSteps {
  /** Checks the documents by every rule, as `check contract` does. */
  lint(): Promise<void>;
  /** Generates the clients. */
  generate(): Promise<void>;
  /** Builds the validators of a service, which are not committed. */
  validators(service: string): Promise<void>;
  /** Measures what browsers download of the clients of these services, as `bench size --check` does. */
  size(services: readonly string[]): Promise<boolean>;
  /** Prints how the contract changed since a revision. Returns whether the check passes. */
  check(revision: string): Promise<boolean>;
  say(line: string): void;
}

const outcomes: Readonly<Record<Draft["outcome"], string>> = {
  written: "is written. Add to it what people have to do, above or below its marks.",
  updated: "is brought up to date.",
  unchanged: "says so already.",
  removed: "is removed: the contract changed nothing that it could tell.",
  kept: "holds words of yours, and nothing of the contract any more. Remove it, if nothing is to be released.",
};

/** The files that a change writes, as they are now. */
function filesOf(root: string): Map<string, Buffer> {
  const written = ["openapi/*/openapi.yaml", "packages/*/src/generated/**", ".changeset/*.md"];
  const files = globSync(written, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ parentPath, name }) => join(parentPath, name)).map((file) => [file, readFileSync(file)]));
}

/**
 * Does everything that follows from an edit of the documents: compares, sets versions, generates the clients, and
 * writes a changeset for each service whose changes since the last release affect callers. If a step fails, all files
 * are as they were before.
 *
 * @param revision the revision to compare with; the main branch by default
 * @returns whether the check of the contract passes
 */
export async function change(root: string, revision: string | undefined, steps: ChangeSteps): Promise<boolean> {
  const before = filesOf(root);
  try {
    return await perform(root, revision, steps);
  } catch (error) {
    const after = filesOf(root);
    for (const file of after.keys()) if (!before.has(file)) rmSync(file);
    for (const [file, content] of before) {
      if (after.get(file)?.equals(content)) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    steps.say("It stopped, so every file is as it was before.");
    throw error;
  }
}

async function perform(root: string, revision: string | undefined, steps: ChangeSteps): Promise<boolean> {
  const base = findBase(root, revision);
  if (base === undefined) {
    throw new Failure(
      "This clone has no main branch to compare with. Name a revision: npx -y pnpm@12 contract change <revision>",
    );
  }
  // A changeset that cannot be read stops the command before it writes anything.
  readAcceptances(root);
  readChangesets(root);
  await steps.lint();
  // The clients contain the version, so it is set before they are generated.
  const services = compareContract(root, base.commit, await readDocuments(root));
  for (const comparison of services) setVersion(root, comparison, steps);
  await steps.generate();
  const changed = services.filter(({ verdict }) => verdict !== "unchanged");
  const removed = changed.filter(({ whole }) => whole === "removed");
  const clients = changed
    .filter(({ service, whole }) => whole !== "removed" && clientOf(root, service) !== undefined)
    .map(({ service }) => service);
  for (const service of clients) await steps.validators(service);
  // The verdict has check marks, so all else that a workflow would refuse comes before it.
  const isSmall = clients.length === 0 || (await steps.size(clients));
  const sound = changed.length === 0 || (isSmall && (await steps.check(base.revision)));

  const waiting = { own: ownChangesets(root, base, "new"), all: readChangesets(root) };
  for (const { service } of removed)
    steps.say(`The service ${service} was removed. Remove its package too: packages/${service}. It gets no changeset.`);
  const drafts = services.flatMap((comparison) => {
    if (comparison.whole === "removed") return [];
    const name = clientOf(root, comparison.service);
    return name === undefined ? [] : putDrafts(root, comparison, name, waiting);
  });
  for (const { file, outcome } of drafts) steps.say(`${file} ${outcomes[outcome]}`);
  const unreleased = changed.filter(({ sinceRelease }) => sinceRelease === undefined);
  if (changed.length === 0) steps.say(`The contract is the same as in ${baseName(base)}.`);
  else if (drafts.length === 0 && unreleased.length === changed.length)
    steps.say(
      "Nothing was released yet. The first release contains the whole contract, so changes before it need no changeset.",
    );
  else if (drafts.length + removed.length === 0)
    steps.say("The change does not affect callers, so no release is needed.");
  return sound;
}

/**
 * Sets `info.version` of a document to the version that its changes since the last release require, up or down.
 *
 * @throws {@link Failure} if the line is not found, or the version is invalid
 */
function setVersion(root: string, { version }: ServiceComparison, steps: ChangeSteps): void {
  if (version === undefined || version.right) return;
  const { at, revision, needed, fault } = version;
  const path = join(root, at.file);
  const lines = readFileSync(path, "utf8").split("\n");
  const index = (at.line ?? 0) - 1;
  const line = lines[index];
  // An invalid version needs a decision by a person.
  const edited = /^\d/.test(revision) && needed !== revision ? line?.replace(revision, needed) : line;
  if (line === undefined || edited === undefined || edited === line) throw new Failure(`${at.file}: ${fault ?? ""}`);
  lines[index] = edited;
  writeFileSync(path, lines.join("\n"));
  steps.say(`${at.file}: \`info.version\` is set to ${needed}; it was ${revision}.`);
}
