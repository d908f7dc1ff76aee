import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageServer } from "@trainyard/server/page";
import { readCheckpoint, train, writeCheckpoint, type TinyModel } from "@trainyard/tiny/page";
import { story } from "trainyard:story";

interface StoredModel {
  readonly id: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly base_model: string;
  readonly checkpoints?: readonly { readonly step: number }[];
}

const isStored = (record: object): record is StoredModel => "id" in record;

/** Imports the data of `pnpm start`. */
export async function importStory(server: PageServer): Promise<void> {
  for (const { kind, records, as } of story) await server.import(kind, records, as === undefined ? {} : { as });
}

/**
 * Trains the model of the story, as `pnpm start` does. All of its steps are trained in the same way, so one training is
 * enough.
 */
export async function trainStory(loadBase: () => Promise<TinyModel>): Promise<TinyModel> {
  const data = story.find(({ as }) => as?.includes("/conversations:") === true);
  if (data === undefined) throw new Error("There are no conversations in the story.");
  const directory = "/story";
  await mkdir(directory);
  const file = join(directory, "conversations.jsonl");
  await writeFile(file, data.records.map((record) => JSON.stringify(record)).join("\n"));
  const job = {
    job: { id: "start", kind: "sft", attempt: 1 },
    model: storedModel(),
    checkpoint: { step: 0, directory: null },
    output: { step: 1, directory },
    training_data: { url: data.as, file },
  };
  await train(JSON.stringify(job), {
    baseModels: loadBase,
    emit: () => undefined,
    note: () => undefined,
    signal: new AbortController().signal,
  });
  return (await readCheckpoint(directory)).model;
}

/** Writes the trained steps of the story's model to the folder of checkpoints. */
export async function writeStory(checkpoints: string, trained: TinyModel): Promise<void> {
  const { id, entity, project, name, base_model, checkpoints: steps = [] } = storedModel();
  for (const { step } of steps) {
    if (step === 0) continue;
    const directory = join(checkpoints, id, `step${step}`);
    await mkdir(directory);
    await writeCheckpoint(directory, trained, { model: { entity, project, name }, step, base_model });
  }
}

function storedModel(): StoredModel {
  const [model] = story.flatMap(({ kind, records }) => (kind === "models" ? records.filter(isStored) : []));
  if (model === undefined) throw new Error("There is no model in the story.");
  return model;
}
