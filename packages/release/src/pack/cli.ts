/** `pnpm release pack`: builds tarballs that another repository can install before the packages are in a registry. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { readArguments } from "@trainyard/terminal/arguments";
import { textTable } from "@trainyard/terminal/table";
import { published, root } from "../lib/workspace.ts";
import { chosen } from "./chosen.ts";
import { packClients, withDigest } from "./clients.ts";
import { nextSteps, openProject, putInto } from "./into.ts";
import { build, pack } from "./pack.ts";
import { packPlan } from "./plan.ts";

const help = `pnpm release pack: builds and packs published packages

pnpm release pack --into <folder> [name...]

  --into <folder>     the project to put them into, or an empty or new folder: by default training, inference, auxiliary and mock, with what they
                      need. Writes its vendor/trainyard and its package.json

pnpm release pack [--out <folder>]

  --out <folder>      the output folder; .cache/clients by default. Files of an earlier run there are deleted
  --base-url <url>    where the files will be downloaded from, for manifest.json

pnpm release pack --plan <file> --out <folder>

  --plan <file>       packs what \`pnpm changeset publish-plan --output <file>\` wants to publish, for
                      \`pnpm changeset publish --from-pack-dir <folder>\``;

/** A path as it was typed: pnpm runs scripts in the root of the clone. */
const typed = (path: string): string => resolve(process.env["INIT_CWD"] ?? "", path);

function packInto(into: string, given: readonly string[]): void {
  const project = openProject(typed(into));
  const names = given.length > 0 ? given : ["training", "inference", "auxiliary", "mock"];
  const all = published().map(({ manifest }) => ({ name: manifest.name, manifest }));
  // An unknown name is refused before anything is built.
  const wanted = chosen(names, all).map(({ name }) => name);
  const folder = mkdtempSync(join(tmpdir(), "trainyard-pack-"));
  try {
    build();
    const packed = pack(folder, root, wanted).map((one) => ({ ...one, tarball: withDigest(one.tarball) }));
    const direct = names.flatMap((name) => chosen([name], all).slice(-1)).map(({ name }) => name);
    console.log(nextSteps(project, direct, packed, putInto(project, direct, packed)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

try {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      into: { type: "string" },
      out: { type: "string" },
      plan: { type: "string" },
      "base-url": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { into, plan } = values;
  const out = values.out === undefined ? join(root, ".cache/clients") : typed(values.out);
  if (values.help) console.log(help);
  else if (into !== undefined) packInto(into, positionals);
  else if (positionals.length) throw new Error(`Names go with --into <folder>: ${positionals.join(", ")}.`);
  else if (plan !== undefined) {
    if (values.out === undefined) throw new Error("Name an empty folder for what is published: --out <folder>.");
    build();
    console.log(
      packPlan(JSON.parse(readFileSync(typed(plan), "utf8")), out).join("\n") || "Nothing is to be published.",
    );
  } else {
    build();
    const packages = packClients(out, values["base-url"]);
    for (const line of textTable(packages.map(({ name, version, file }) => [name, version, file]))) console.log(line);
    console.log(
      `\nThey are in ${relative(process.cwd(), out) || "."}. To install them in a program: npx -y pnpm@12 release pack --into <folder>`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
