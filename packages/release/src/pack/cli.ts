/** `pnpm release pack`: builds tarballs that another repository can install before the packages are in a registry. */
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { textTable } from "@trainyard/host/table";
import { root } from "../lib/workspace.ts";
import { packClients } from "./clients.ts";
import { build } from "./pack.ts";

const help = `pnpm release pack: builds and packs every published package

  --out <folder>      where to; .cache/clients by default. What an earlier run left there goes
  --base-url <url>    where the files will be downloaded from: the lines to install name it.
                      Without it they name the files on this machine`;

try {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: ".cache/clients" },
      "base-url": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) console.log(help);
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
