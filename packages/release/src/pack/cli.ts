/** `pnpm release pack`: builds tarballs that another repository can install before the packages are in a registry. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { textTable } from "@trainyard/host/table";
import { published, root } from "../lib/workspace.ts";
import { packClients, withDigest } from "./clients.ts";
import { chosen, nextSteps, openProject, putInto } from "./into.ts";
import { build, pack } from "./pack.ts";

const help = `pnpm release pack: builds and packs published packages

pnpm release pack --into <folder> [name...]

  --into <folder>     another project, which can install them then: by default training, inference, auxiliary and mock,
                      with what they need. Writes its vendor/trainyard and its package.json

pnpm release pack [--out <folder>]

  --out <folder>      where to; .cache/clients by default. What an earlier run left there goes
  --base-url <url>    where the files will be downloaded from: the lines to install name it.
                      Without it they name the files on this machine`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      into: { type: "string" },
      out: { type: "string", default: ".cache/clients" },
      "base-url": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) console.log(help);
  else if (values.into !== undefined) {
    const names = positionals.length ? positionals : ["training", "inference", "auxiliary", "mock"];
    const project = openProject(resolve(process.env["INIT_CWD"] ?? "", values.into));
    const all = chosen(
      names,
      published().map(({ manifest }) => ({ name: manifest.name, manifest })),
    );
    const folder = mkdtempSync(join(tmpdir(), "trainyard-pack-"));
    try {
      build();
      const packed = pack(
        folder,
        root,
        all.map(({ name }) => name),
      ).map((one) => ({ ...one, tarball: withDigest(one.tarball) }));
      const wanted = names.map((name) =>
        name === "trainyard" ? name : `@trainyard/${name.replace("@trainyard/", "")}`,
      );
      console.log(nextSteps(project, packed, putInto(project, wanted, packed)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  } else if (positionals.length) throw new Error(`Names go with --into <folder>: ${positionals.join(", ")}.`);
  else {
    const out = resolve(root, values.out);
    build();
    const { packages } = packClients(out, values["base-url"]);
    for (const line of textTable(packages.map(({ name, version, file }) => [name, version, file]))) console.log(line);
    console.log(
      `\nThey lie in ${relative(process.cwd(), out) || "."}; manifest.md there has the line that installs each in your program.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
