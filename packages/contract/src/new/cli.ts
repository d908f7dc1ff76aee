/** `pnpm contract new`: writes the files of a schema, an operation or a service. */
import { join } from "node:path";
import { runCommand } from "../command.ts";
import { makeNew } from "./command.ts";

const root = join(import.meta.dirname, "../../../..");

const help = `contract new operation <service> <method> --verb <verb> --path <path>
    [--body Schema] [--answer Schema] [--page] [--resend always|with-key|never]
    [--summary TEXT] [--description TEXT] [--tag TAG]
contract new schema <service|common> <Name> [--property name:type]... [--description TEXT]
contract new service <name> [--title TEXT] [--description TEXT] [--method METHOD --verb <verb> --path <path>]
Each also takes [--basis proposed|adopted|interface].

Writes the small files, with examples and extensions.

  --body      the schema of the request; a missing one is created
  --answer    the schema of the response, by default the one of the method's group; a missing one is created
  --page      the response is a page of that schema
  --resend    whether clients may send it again; by default never for post and patch, otherwise always
  --property  note?:string is optional, tags:string[] is a list, end:date-time|null may be null, owner:Model refers
  --basis     the source of the facts; proposed by default

  contract new operation training models.rename --verb post --path "/v1/preview/models/{model_id}/rename" --body Rename
  contract new schema auxiliary Note --property text:string --property "end?:date-time|null"
  contract new service billing`;

await runCommand(async () => {
  const { files, notes } = await makeNew(root, process.argv.slice(2));
  console.log(`Wrote\n${files.map((file) => `  ${file}`).join("\n")}\n`);
  if (notes.length > 0) console.log(`${notes.join("\n")}\n`);
  console.log(
    "Complete each description (lint rejects one of an operation that repeats its summary), then run: npx -y pnpm@12 contract change && npx -y pnpm@12 test",
  );
  return 0;
}, help);
