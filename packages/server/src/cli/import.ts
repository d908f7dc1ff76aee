import { parseArgs } from "node:util";
import { createLocalClient, type LocalClient } from "@trainyard/local";
import { makeKey } from "../http/keys.ts";
import { importFile } from "../import/import-file.ts";
import { createServer } from "../server.ts";
import { importKindOf, type ImportKind } from "../import/kinds.ts";
import { readOwnerNote } from "../store/owner.ts";

export const help = `trainyard import <kind> FILE…: loads data that no service has an operation for

  kind                  models, jobs, feedback, objects, hardware or artifacts
  FILE                  JSON Lines. If a line is invalid, nothing of the file is imported
  --data <folder>       the data folder; .trainyard by default. Its server may be running
  --as <address>        with artifacts, the address of the file: artifact:///entity/project/name:version`;

/** Imports files, through the server of the data folder if one is running. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: "string", default: ".trainyard" }, as: { type: "string" } },
  });
  const [name, ...files] = positionals;
  const kind = importKindOf(name);
  if (kind === undefined || files.length === 0)
    throw new Error(`Name what to import, and at least one file.\n\n${help}`);
  const { client, close } = await open(values.data);
  try {
    for (const file of files) await importOne(kind, file, values.as, client);
  } finally {
    await close();
  }
}

async function importOne(kind: ImportKind, file: string, as: string | undefined, client: LocalClient): Promise<void> {
  const shows = process.stderr.isTTY;
  const records = await importFile({
    kind,
    file,
    as,
    client,
    fault: ({ line, message }) => console.error(`${file}:${line}: ${message}`),
    ...(shows && {
      progress: (lines, part) => {
        process.stderr.write(`\r${file}: ${lines} lines, ${Math.floor(part * 100)} %`);
      },
    }),
  });
  if (shows) process.stderr.write("\n");
  console.log(`${file}: ${records} records of ${kind} imported.`);
}

/** The control interface of the server that runs on a folder, or of a temporary one without a port. */
async function open(data: string): Promise<{ readonly client: LocalClient; readonly close: () => Promise<void> }> {
  const note = readOwnerNote(data);
  if (note?.url !== undefined && note.controlKey !== undefined) {
    const client = createLocalClient({ baseUrl: `${note.url}/_local`, controlKey: note.controlKey });
    const alive = await fetch(`${note.url}/v1/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (alive) return { client, close: async () => undefined };
  }
  // It runs only for the import, so it leaves the jobs alone.
  const server = createServer({
    data,
    keys: [{ key: makeKey(), entity: "import" }],
    trainer: { command: ["none"], jobs: 0, resume: true },
  });
  return { client: createLocalClient(server.connect("local")), close: () => server.close() };
}
