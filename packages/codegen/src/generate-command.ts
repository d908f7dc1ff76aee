import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { countFacts, explainFacts } from "@trainyard/document";
import { describeDifference, isEmpty } from "./files.ts";
import type { ClientReport } from "./generate-client.ts";
import { count } from "./names.ts";
import { DocumentError, formatProblem } from "@trainyard/document/files";

/** What `trainyard generate --help` prints. */
export const help = `trainyard generate <document> --out <folder>: writes a typed client of an OpenAPI document

  --out <folder>    the folder of the client, which has nothing else in it
  --name <name>     the name of the client: pets has createPetsClient; by default the title of the document, then the name
                    of its file
  --env <prefix>    lets the client read environment variables: PETS reads PETS_URL, PETS_API_KEY and, for a security scheme
                    accessToken, PETS_ACCESS_TOKEN; without it, the client reads none
  --overlay <file>  applies an OpenAPI Overlay to the document first; may be given several times
  --allow <place>   a folder, or the beginning of an address, to which a $ref may lead; may be given several times. Without
                    it, each $ref stays below the folder in which the command runs, and no address is fetched
  --validators <of> writes validators.ts, of requests or of all that is sent and received: none, requests or all; none by default
  --package         imports the engine from the package @trainyard/core, instead of writing it into core/ beside the client
  --strict          fails if anything is left out: an operation, or a body that is not sent; without it, that is named
  --explain         prints each fact that was derived, and each note on the document
  --check           compares, writes nothing, and fails on any difference

The document is OpenAPI 3.0, 3.1 or 3.2, in YAML or JSON, of one file or several. The client has its methods in index.ts, its
types in schema.ts, the engine in core/ and, with --validators, its validators in validators.ts. It needs no package.`;

/** Runs `trainyard generate` in the working directory. */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string", default: "" },
      name: { type: "string" },
      env: { type: "string" },
      overlay: { type: "string", multiple: true, default: [] },
      allow: { type: "string", multiple: true, default: [] },
      validators: { type: "string", default: "none" },
      package: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      explain: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
    },
  });
  const { out, name, env, overlay, allow, validators, package: isPackage, strict, explain, check } = values;
  const [document, ...others] = positionals;
  if (document === undefined || others.length > 0 || out === "") {
    throw new UsageError(
      "Name one document, and the folder of its client: trainyard generate openapi.yaml --out src/api",
    );
  }
  if (validators !== "none" && validators !== "requests" && validators !== "all")
    throw new UsageError(`--validators must be none, requests or all, and not ${validators}.`);
  // It loads the compiler.
  const { generateClient } = await import("./generate-client.ts");
  try {
    const report = await generateClient(document, {
      out,
      name,
      env,
      overlays: overlay,
      allow,
      validators,
      copied: !isPackage,
      strict,
      check,
    });
    for (const problem of report.problems) console.error(`${formatProblem(problem)}\n`);
    const reads = `${report.client} reads ${report.variables.join(", ") || "no environment variables"}.`;
    const read = report.operations > 0 ? reads : "The document has no operations, so there are only types.";
    const edited = report.edited.map((file) => `${out}/${file} was edited by hand.`);
    const lines = [...notesOf(report, explain), ...edited, read, ...(check ? compared : written)(report, out)];
    for (const line of lines) console.log(line);
    if (check && !isEmpty(report.difference)) process.exitCode = 1;
  } catch (error) {
    // What a document has wrong is what this command finds, and no misuse of it.
    throw error instanceof DocumentError ? new Error(error.report(), { cause: error }) : error;
  }
}

function notesOf(report: ClientReport, explain: boolean): string[] {
  const { derived, missed, leftOut } = report;
  const notes = explain ? [...report.notes, ...report.details] : [];
  const noteCount = explain ? notes.length : report.noteCount;
  const listed = (lines: readonly string[], length: number, sentence: string): string[] =>
    length === 0 ? [] : explain ? [...lines, sentence] : [`${sentence} \`--explain\` lists them.`];
  const parts = leftOut.flatMap(({ what }) => what).length;
  return [
    ...listed(explainFacts(derived), derived.length, countFacts(derived)),
    ...listed(notes, noteCount, `The document has ${count(noteCount, "note")}.`),
    ...missed,
    ...(parts > 0 ? [`${count(parts, "part")} left out. \`--strict\` makes that an error.`] : []),
  ];
}

/** The engine has too many files to name each. */
function inShort({ missing, stale, surplus }: ClientReport["difference"]): ClientReport["difference"] {
  const short = (files: readonly string[]) => [...new Set(files.map((file) => file.replace(/^core\/.*/, "core")))];
  return { missing: short(missing), stale: short(stale), surplus: short(surplus) };
}

function written({ operations, files, difference }: ClientReport, out: string): string[] {
  return [
    `${out}: ${count(operations, "operation")}, ${count(files, "file")}: ${describeDifference(inShort(difference))}`,
  ];
}

function compared({ difference }: ClientReport, out: string): string[] {
  const { missing, stale, surplus } = inShort(difference);
  const differences = [
    ...missing.map((file) => `${out}/${file} is missing.`),
    ...stale.map((file) => `${out}/${file} is not what the command writes.`),
    ...surplus.map((file) => `${out}/${file} is no longer generated.`),
  ];
  if (differences.length === 0) return [`${out} is up to date.`];
  return [...differences, "Run the command without `--check`."];
}
