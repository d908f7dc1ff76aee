import { existsSync, mkdirSync } from "node:fs";
import { join, parse } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { DocumentError, type FileLocation, readFile } from "@trainyard/document/files";
import { pointerTokens } from "@trainyard/core/validation";
import type { Change } from "./change.ts";
import { dialect } from "@trainyard/document";
import { checkOptions, choose, chooseFailOn } from "./command.ts";
import { compare } from "./compare/service.ts";
import { toDocument } from "./document.ts";
import { Failure } from "./failure.ts";
import { withFolder } from "./folder.ts";
import { extractFiles, findRevision, git } from "./git.ts";
import type { Kind } from "./kinds.ts";
import { formats, onScreen } from "./report/formats.ts";
import type { CheckReport } from "./report/model.ts";
import { isRefused } from "./report/sentence.ts";
import { type FailOn, byVerdict, worst } from "./verdict.ts";
import { judgeAnnouncement } from "./version.ts";

export const help = `trainyard check <old> <new>: says what the changes of an OpenAPI document break, and whom

  <old>, <new>        a file in YAML or JSON, or <revision>:<file> of git: main:openapi.yaml
  --format <format>   text (the default), markdown for a comment, or github for the annotations of a pull request
  --fail-on <whom>    wire (the default): requests and responses; source: also code that is compiled with a client
  --all               prints the whole report; without it one screen, which names a file with what it leaves out
  --allow <place>     a folder or an address that $refs may lead to; may be given several times

Each change is breaking, a warning, additive or neutral: on the wire, in the source of callers, or for readers. A property or a
value that is new in an answer is a warning: callers that check answers may refuse it.
If both versions (\`info.version\`) have three numbers, the newer one must be at least as high as the changes on the wire require:
a breaking change needs a new major version, an additive one a new minor version.

The last sentence says who breaks.
Exit codes: 0 the version announces the changes; 1 it does not, or something breaks and a version has no three numbers;
2 nothing could be compared.`;

/** Runs `trainyard check`. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { ...checkOptions, allow: { type: "string", multiple: true, default: [] } },
  });
  const format = choose(formats, values.format);
  const [old, now, ...others] = positionals;
  if (old === undefined || now === undefined || others.length > 0)
    throw new Failure("Name two documents, the older one first: trainyard check main:openapi.yaml openapi.yaml");
  const mode = chooseFailOn(values["fail-on"]);
  const report = await checkFiles(old, now, values.allow, (note) => console.error(note), mode);
  console.log(values.all ? format(report) : onScreen(report, format));
  process.exitCode = isRefused(report) ? 1 : 0;
}

/**
 * Compares two documents of anybody. Neither is compiled, and no release or changeset is asked for.
 *
 * @param allow what `$ref`s may lead to: folders and addresses
 * @param note prints what is different from a file
 * @throws {@link Failure} if one of them cannot be read
 */
export async function checkFiles(
  old: string,
  now: string,
  allow: readonly string[],
  note: (sentence: string) => void,
  failOn: FailOn = "wire",
): Promise<CheckReport> {
  return withFolder(async (folder) => {
    const [before, after] = [await read(old, join(folder, "old"), allow), await read(now, join(folder, "new"), allow)];
    for (const sentence of new Set([...before.notes, ...after.notes])) note(sentence);
    const at = (pointer: string): FileLocation => after.locate(pointerTokens(pointer), "reference");
    const placeOf = ({ base, revision }: Change): FileLocation => {
      if (after.document.at(revision).value !== undefined) return at(revision);
      const { file, ...place } = before.locate(pointerTokens(base), "reference");
      return { file: old.endsWith(`:${file}`) ? old : file, ...place };
    };
    const isOurs = dialect.version.read(after.document.root);
    const changes = compare(before.document, after.document)
      .map((change) => ({ ...(isOurs ? change : forStrangers(change)), at: placeOf(change), broken: [] }))
      .sort(byVerdict);
    const version = judgeAnnouncement(after.document.version, { version: before.document.version, changes }, failOn);
    const { service } = after.document;
    const wrong = version.right ? {} : { version: { ...version, at: at("/info/version") } };
    return { base: { name: old }, services: [{ service, changes, ...wrong }], failOn, idle: [] };
  });
}

/** Kinds after which an answer has what callers did not know. Our contract says which of its sets are open; others do not. */
const growing: ReadonlySet<Kind> = new Set<Kind>(["property-added", "property-added-required", "value-added"]);

/** A change with the verdict on a document whose callers nobody knows. */
function forStrangers(change: Change): Change {
  if (!growing.has(change.kind)) return change;
  const effects = change.effects.map((effect) =>
    effect.role === "send"
      ? effect
      : { ...effect, verdict: "warning" as const, why: "Callers that check answers may refuse what they do not know." },
  );
  return { ...change, effects, verdict: worst(effects.map(({ verdict }) => verdict)) };
}

/** @param folder where to write the files of a revision */
async function read(given: string, folder: string, allow: readonly string[]) {
  const { root, path } = find(given, folder);
  try {
    const { document, ...file } = await readFile(path, { root, allow });
    return { document: toDocument(parse(path).name, document), ...file };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new Failure(`${given} cannot be compared.\n\n${error.message}`);
  }
}

/** A file, or that of a revision: below this folder if it is there, as git names it otherwise. */
function find(given: string, folder: string): { readonly root: string; readonly path: string } {
  const here = process.cwd();
  const [, revision, path] = /^([^:]+):(.+)$/.exec(given) ?? [];
  if (revision === undefined || path === undefined || existsSync(given)) return { root: here, path: given };
  const { commit } = findRevision(here, revision);
  const top = git(here, "rev-parse", "--show-toplevel") ?? here;
  const root = [here, top].find((one) => git(one, "cat-file", "-e", `${commit}:./${path}`) !== undefined);
  if (root === undefined) throw new Failure(`The revision "${revision}" has no file ${path}.`);
  mkdirSync(folder);
  extractFiles(root, commit, folder);
  return { root: folder, path };
}
