import { createLocalClient, type LocalClient } from "@trainyard/local";
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
    const client = createLocalClient({ baseUrl: `${note.url}/_local`, controlKey: note.controlKey });
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
