import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageServer } from "@trainyard/server/page";
import { train, type TinyModel } from "@trainyard/tiny/page";
import { story } from "trainyard:story";

interface StoredModel {
  readonly id: string;
  readonly checkpoints?: readonly { readonly step: number }[];
}

const isStored = (record: object): record is StoredModel => "id" in record;

/** Brings in what `pnpm start` serves. */
export async function importStory(server: PageServer): Promise<void> {
  for (const { kind, records, as } of story) await server.import(kind, records, as === undefined ? {} : { as });
}

/** Trains what the story says was trained, as `pnpm start` does: the weights of its model at each step. */
export async function trainStory(checkpoints: string, loadBase: () => Promise<TinyModel>): Promise<void> {
  const [model] = story.flatMap(({ kind, records }) => (kind === "models" ? records.filter(isStored) : []));
  const data = story.find(({ as }) => as?.includes("/conversations:") === true);
  if (model === undefined || data === undefined) throw new Error("There is no model in the story.");
  const file = join(checkpoints, "conversations.jsonl");
  await writeFile(file, data.records.map((record) => JSON.stringify(record)).join("\n"));
  for (const { step } of model.checkpoints ?? []) {
    if (step === 0) continue;
    const directory = join(checkpoints, model.id, `step${step}`);
    await mkdir(directory);
    const job = {
      job: { id: "start", kind: "sft", attempt: 1 },
      model,
      checkpoint: { step: 0, directory: null },
      output: { step, directory },
      training_data: { url: data.as, file },
    };
    await train(JSON.stringify(job), {
      baseModels: loadBase,
      emit: () => undefined,
      note: () => undefined,
      signal: new AbortController().signal,
    });
  }
}
