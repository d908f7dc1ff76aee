import { parseArgs } from "node:util";
import { Failure } from "../failure.ts";
import { formats } from "../report/formats.ts";
import { readUses } from "../uses.ts";
import { choose } from "./choose.ts";

export async function run(root: string, args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: "string", default: "text" },
      uses: { type: "string", multiple: true, default: [] },
    },
  });
  const format = choose(formats, values.format);
  if (positionals.length > 1) throw new Failure("Name at most one revision to compare with.");
  const consumers = values.uses.map(readUses);
  // Client generation takes a second to load, so check the arguments first.
  const { check, isRefused } = await import("../check.ts");
  const report = await check(root, positionals[0], consumers);
  console.log(format(report));
  return isRefused(report) ? 1 : 0;
}
