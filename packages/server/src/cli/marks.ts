import { readArguments } from "@trainyard/terminal/arguments";
import { UsageError } from "@trainyard/terminal/command";
import { findRun, serverOf } from "./control.ts";

export const help = `trainyard marks <run>: lists facts about a training run that deserve attention, by six plain rules

  <run>                 the name, project/name or id of a model
  --data <folder>       the data folder of a running server; .trainyard by default. TRAINYARD_LOCAL_URL and
                        TRAINYARD_CONTROL_KEY name another server
  --json                prints the answer as JSON

A mark is open until its condition was false for three steps. Exit codes: 0 no mark is open, 1 one is, 2 not looked at.`;

/** Runs `trainyard marks`. */
export async function run(args: string[]): Promise<void> {
  // That of an error that is thrown. 1 means an open mark.
  process.exitCode = 2;
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { data: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError("Name one run.");
  const { url, client } = serverOf(values.data);
  const { id } = await findRun(client, name);
  const found = await client.runs.marks(id);
  const open = found.data.filter(({ until }) => until === null);
  if (values.json) console.log(JSON.stringify(found, undefined, 2));
  else {
    for (const { title, since, until, text } of found.data)
      console.log(`${until === null ? "open" : "ended"} ${title}, step ${since} to ${until ?? "now"}: ${text}`);
    console.log(`${open.length} open. Looked at ${found.steps} steps of ${found.split}: ${url}/console/runs/${id}`);
    for (const what of found.not_looked) console.log(`Not looked at: ${what}.`);
  }
  process.exitCode = open.length > 0 ? 1 : 0;
}
