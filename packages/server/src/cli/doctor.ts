import { parseArgs } from "node:util";
import { createLocalClient, type Finding, type LocalClient, type Run } from "@trainyard/local";
import { readOwnerNote } from "../store/owner.ts";

export const help = `trainyard doctor <model>: says whether a training run is ill, by simple rules over what was logged and trained

  <model>               the name, project/name or id of a model
  --data <folder>       the data folder of a running server; .trainyard by default. TRAINYARD_LOCAL_URL and
                        TRAINYARD_CONTROL_KEY name another server
  --step <number>       judges the run as it was at a step; the newest by default
  --json                prints the answer as JSON

Each line is a finding: its severity, the rule, the step, a sentence, and where to look. Exit codes: 0 healthy, 1 ill, 2 not
judged.`;

/** Runs `trainyard doctor`. */
export async function run(args: string[]): Promise<void> {
  try {
    process.exitCode = await judge(args);
  } catch (error) {
    // An error that is thrown ends a command with 1, which means ill here.
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}

/** Prints what the doctor says, and returns the exit code. */
async function judge(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: "string" }, step: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new Error(`Name one model.\n\n${help}`);
  if (values.step !== undefined && !/^\d+$/.test(values.step)) throw new Error(`--step ${values.step} is not a step.`);
  const { url, controlKey } = serverOf(values.data);
  const client = createLocalClient({ baseUrl: `${url}/_local`, controlKey });
  const { id } = await findRun(client, name);
  const found = await client.runs.findings(id, {
    query: values.step === undefined ? {} : { step: Number(values.step) },
  });
  const linkTo = ({ filter: { page = "rollouts", ...query } }: Finding) =>
    `${url}/console/runs/${id}/${page}?${new URLSearchParams(query).toString()}`;
  const data = found.data.map((finding) => ({ ...finding, link: linkTo(finding) }));
  if (values.json) console.log(JSON.stringify({ ...found, data }, undefined, 2));
  else {
    for (const { severity, rule, step, text, link } of data)
      console.log(`${severity} ${rule} at step ${step}: ${text} ${link}`);
    for (const { rule, why } of found.unjudged) console.log(`not judged ${rule}: ${why}`);
    console.log(verdicts[found.verdict] ?? found.verdict);
  }
  return found.verdict === "healthy" ? 0 : found.verdict === "ill" ? 1 : 2;
}

const verdicts: Readonly<Record<string, string>> = {
  healthy: "Healthy: no rule found an illness.",
  ill: "Ill: see the findings above.",
  unknown: "Not judged: fewer than three steps have groups.",
};

/** The address and the key of a running server. */
function serverOf(data: string | undefined): { url: string; controlKey: string } {
  const { TRAINYARD_LOCAL_URL: address, TRAINYARD_CONTROL_KEY: key } = process.env;
  if (data === undefined && address && key) return { url: address.replace(/\/(_local\/?)?$/, ""), controlKey: key };
  const note = readOwnerNote(data ?? ".trainyard");
  if (note?.url !== undefined && note.controlKey !== undefined) return { url: note.url, controlKey: note.controlKey };
  throw new Error(
    `No server runs on the folder ${data ?? ".trainyard"}. Start it with \`trainyard serve\`, name its folder with --data, or set TRAINYARD_LOCAL_URL and TRAINYARD_CONTROL_KEY.`,
  );
}

/** The run of a name. */
async function findRun(client: LocalClient, name: string): Promise<Run> {
  const found: Run[] = [];
  const q = name.split("/").at(-1) ?? name;
  for (const query of [{ q }, {}])
    if (found.length === 0)
      for await (const run of client.runs.list(query))
        if ([run.id, run.name, `${run.project}/${run.name}`, `${run.entity}/${run.project}/${run.name}`].includes(name))
          found.push(run);
  const [run, ...more] = found;
  if (run === undefined) throw new Error(`The server has no model ${name}. Give its name, project/name or id.`);
  if (more.length === 0) return run;
  const ids = found.map(({ id, entity, project }) => `${id} (${entity}/${project})`).join(", ");
  throw new Error(`${found.length} models have the name ${name}. Give an id: ${ids}.`);
}
