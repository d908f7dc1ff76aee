import { createLocalClient, type LocalClient, type Run } from "@trainyard/local";
import { makeKey } from "../http/keys.ts";
import { createServer } from "../server.ts";
import { readOwnerNote } from "../store/owner.ts";

/** The control interface of the server that runs on a folder, or of a temporary one without a port. */
export async function openControl(
  data: string,
  checkpoints?: string,
): Promise<{ readonly client: LocalClient; readonly close: () => Promise<void> }> {
  const note = readOwnerNote(data);
  if (note?.url !== undefined && note.controlKey !== undefined) {
    const client = clientOf(note.url, note.controlKey);
    const alive = await fetch(`${note.url}/v1/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (alive) return { client, close: async () => undefined };
  }
  // It runs only for this command, so it leaves the jobs alone.
  const server = createServer({
    data,
    ...(checkpoints !== undefined && { checkpoints }),
    keys: [{ key: makeKey(), entity: "command" }],
    trainer: { command: ["none"], jobs: 0, resume: true },
  });
  return { client: createLocalClient(server.connect("local")), close: () => server.close() };
}

/** The address of a running server, and its client. */
export function serverOf(data: string | undefined): { url: string; client: LocalClient } {
  const at = (url: string, controlKey: string) => ({ url, client: clientOf(url, controlKey) });
  const { TRAINYARD_LOCAL_URL: address, TRAINYARD_CONTROL_KEY: key } = process.env;
  if (data === undefined && address && key) return at(address.replace(/\/(_local\/?)?$/, ""), key);
  const note = readOwnerNote(data ?? ".trainyard");
  if (note?.url !== undefined && note.controlKey !== undefined) return at(note.url, note.controlKey);
  throw new Error(
    `No server runs on the folder ${data ?? ".trainyard"}. Start it with \`trainyard serve\`, name its folder with --data, or set TRAINYARD_LOCAL_URL and TRAINYARD_CONTROL_KEY.`,
  );
}

function clientOf(url: string, controlKey: string): LocalClient {
  return createLocalClient({ baseUrl: `${url}/_local`, controlKey });
}

/** The run of a name. */
export async function findRun(client: LocalClient, name: string): Promise<Run> {
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
