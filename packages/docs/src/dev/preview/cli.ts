/**
 * `pnpm contract preview [revision] --out <folder>`: writes the pages of the changed operations as the reference will
 * show them.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "@trainyard/contract";
import { runCommand } from "@trainyard/contract/command";
import { textTable } from "@trainyard/host/table";
import { root } from "../../places.ts";
import { preview } from "./preview.ts";

const usage = `contract preview [revision] --out <folder>

Writes the reference of the services whose documents differ from where this branch left main, or the revision that you name, into a
folder. Its index.html lists the operations and schemas that differ. Open it in a browser: it needs no server.`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.out === undefined || positionals.length > 1) throw new Failure(usage);
  // The folder in which the command was typed: pnpm runs it in the repository's folder.
  const out = resolve(process.env["INIT_CWD"] ?? process.cwd(), values.out);
  const changed = await preview(root, positionals[0], out);
  for (const line of textTable(changed.map(({ what, service, label }) => [what, service, label]))) console.log(line);
  console.log(
    changed.length === 0
      ? "No page of the reference changes, so nothing was written."
      : `Open ${join(out, "index.html")}`,
  );
  return 0;
});
