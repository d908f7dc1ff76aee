import { existsSync, mkdirSync } from "node:fs";
import { join, parse } from "node:path";
import { parseArgs } from "node:util";
import { DocumentError, type FileLocation, readFile } from "@trainyard/document/files";
import { pointerTokens } from "@trainyard/core/validation";
import { choose, runCommand } from "./command.ts";
import { compare } from "./compare/service.ts";
import { toDocument } from "./document.ts";
import { Failure } from "./failure.ts";
import { withFolder } from "./folder.ts";
import { extractFiles, findRevision, git } from "./git.ts";
import { formats, onScreen } from "./report/formats.ts";
import type { CheckReport } from "./report/model.ts";
import { refusals } from "./report/sentence.ts";
import { byVerdict } from "./verdict.ts";
import { judgeAnnouncement } from "./version.ts";

export const help = `trainyard check <old> <new>: says what the changes of an OpenAPI document break, and whom

  <old>, <new>        a file in YAML or JSON, or <revision>:<file> of git: main:openapi.yaml
  --format <format>   text (the default), markdown for a comment, or github for the annotations of a pull request
  --all               prints the whole report; without it one screen, which names a file with what it leaves out
  --allow <place>     a folder or an address that $refs may lead to; may be given several times

Each change is breaking, a warning, additive or neutral: on the wire, in the source of callers, or for readers.
If both versions (\`info.version\`) have three numbers, the newer one must be at least as high as the changes on the wire require:
a breaking change needs a new major version, an additive one a new minor version.

Exit codes: 0 the version announces the changes; 1 it does not, or something breaks and a version has no three numbers;
2 nothing could be compared.`;

/** Runs `trainyard check`. */
export async function run(args: string[]): Promise<void> {
  await runCommand(async () => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "text" },
        all: { type: "boolean", default: false },
        allow: { type: "string", multiple: true, default: [] },
      },
    });
    const format = choose(formats, values.format);
    const [old, now, ...others] = positionals;
    if (old === undefined || now === undefined || others.length > 0)
      throw new Failure("Name two documents, the older one first: trainyard check main:openapi.yaml openapi.yaml");
    const report = await checkFiles(old, now, values.allow, (note) => console.error(note));
    console.log(values.all ? format(report) : onScreen(report, format));
    return report.services.some((service) => refusals(service).length > 0) ? 1 : 0;
  });
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
): Promise<CheckReport> {
  return withFolder(async (folder) => {
    const [before, after] = [await read(old, join(folder, "old"), allow), await read(now, join(folder, "new"), allow)];
    for (const sentence of new Set([...before.notes, ...after.notes])) note(sentence);
    const at = (pointer: string): FileLocation => after.locate(pointerTokens(pointer), "reference");
    const changes = compare(before.document, after.document)
      .map((change) => ({ ...change, at: at(change.revision), broken: [] }))
      .sort(byVerdict);
    const version = judgeAnnouncement(after.document.version, { version: before.document.version, changes });
    const { service } = after.document;
    const wrong = version.right ? {} : { version: { ...version, at: at("/info/version") } };
    return { base: { name: old }, services: [{ service, changes, ...wrong }], idle: [] };
  });
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
