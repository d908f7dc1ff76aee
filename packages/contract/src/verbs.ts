import { join } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { checkOptions, choose, chooseFailOn, runCommand } from "./command.ts";
import { Failure } from "./failure.ts";

const root = join(import.meta.dirname, "../../..");

interface Command {
  readonly help: string;
  /** What a command needs is imported on demand, because it takes a second to load. */
  run(args: string[]): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  check: {
    help: `contract check [revision] [--format text|markdown|github] [--fail-on wire|source] [--uses FILE]... [--all]

Compares the documents with those where this branch left a revision: each change with its location; breaking, warning, additive or
neutral; whom it concerns (on the wire, in their source, as a reader) and why; and the info.version that the changes on the
wire since the last release require.

  revision    a branch, a tag or a commit; by default the main branch
  --format    text for a terminal (default), markdown for a comment, github for annotations of a pull request
  --fail-on   wire (default): what breaks requests or responses; source: also what only breaks code compiled with a client
  --uses      a file that \`trainyard uses\` wrote for a program: the report names its files and lines. Can be repeated
  --all       the whole report. Without it, one screen, which names a file with the whole report if it leaves anything out

Exit codes: 0 every version is right; 1 a version is wrong, something breaks before the first release that no changeset accepts, a
document cannot be read, something is removed too early, an acceptance fits no change, or code no longer compiles although the rules
call each change harmless; 2 nothing could be compared.`,
    async run(args) {
      const { values, positionals } = readArguments({
        args,
        allowPositionals: true,
        options: {
          ...checkOptions,
          uses: { type: "string", multiple: true, default: [] },
        },
      });
      const { formats, onScreen } = await import("./report/formats.ts");
      const format = choose(formats, values.format);
      if (positionals.length > 1) throw new Failure("Name at most one revision to compare with.");
      const { readUses } = await import("./uses/uses.ts");
      const consumers = values.uses.map(readUses);
      const [{ check }, { isRefused }] = await Promise.all([import("./check.ts"), import("./report/sentence.ts")]);
      const report = await check(root, positionals[0], { consumers, failOn: chooseFailOn(values["fail-on"]) });
      console.log(values.all ? format(report) : onScreen(report, format));
      return isRefused(report) ? 1 : 0;
    },
  },

  basis: {
    help: `contract basis [--format text|json]

Lists the source of each fact of the contract, with counts: interface, adopted or proposed. To confirm a proposed fact, edit
its x-basis.

  --format    text for a terminal (default), json`,
    async run(args) {
      const { values } = readArguments({ args, options: { format: { type: "string", default: "text" } } });
      const { basisFormats } = await import("./basis/report.ts");
      const format = choose(basisFormats, values.format);
      const [{ facts }, { readDocuments }] = await Promise.all([import("./basis/fact.ts"), import("./documents.ts")]);
      const documents = await readDocuments(root);
      console.log(format([...documents.values()].flatMap((document) => facts(root, document))));
      return 0;
    },
  },

  export: {
    help: `contract export [service]... --out FOLDER [--openapi 3.1|3.2] [--format json|yaml] [--overlay FILE]...

Writes the bundle of each service, or of those that are named, as one file: FOLDER/<service>.openapi.json.

  --out       the folder; created if it does not exist
  --openapi   3.1 (default), or 3.2, where itemSchema describes the events of a stream
  --format    json (default), yaml
  --overlay   applies an OpenAPI Overlay to the documents first. Can be repeated`,
    run: async (args) => (await import("./export.ts")).exportDocuments(root, args),
  },
};

// `cli.ts` names one of them.
const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) throw new Error(`There is no verb "${name}".`);
await runCommand(() => command.run(args), command.help);
