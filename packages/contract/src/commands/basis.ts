import { parseArgs } from "node:util";
import { facts } from "../basis/fact.ts";
import { basisFormats } from "../basis/report.ts";
import { choose } from "./choose.ts";

export async function run(root: string, args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { format: { type: "string", default: "text" } } });
  const format = choose(basisFormats, values.format);
  const { readDocuments } = await import("../documents.ts");
  const documents = await readDocuments(root);
  console.log(format([...documents.values()].flatMap((document) => facts(root, document))));
  return 0;
}
