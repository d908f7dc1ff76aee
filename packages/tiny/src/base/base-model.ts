import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { CheckpointError, readCheckpoint, writeCheckpoint } from "../checkpoint/checkpoint.ts";
import type { TinyModel } from "../model/tiny-model.ts";
import { baseModelName } from "./name.ts";
import { parseCorpus } from "./corpus.ts";
import { trainBase } from "./train-base.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
/** The sources of the weights: the texts, and the code that learns from them. */
const sources = ["corpus", "src/base", "src/model"];

/**
 * The base model. Its weights are stored in `dist`, under a name that contains a digest of their sources. If they do
 * not exist, they are trained, which takes about a second, and stored for the next time.
 */
export async function loadBase(folder: string = join(home, "dist")): Promise<TinyModel> {
  const directory = join(folder, `base-${await digestOfSources()}`);
  try {
    return (await readCheckpoint(directory)).model;
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
  }
  const model = trainBase(await readCorpus());
  // If they cannot be stored, they are trained again the next time.
  await keep(folder, directory, model).catch(() => undefined);
  return model;
}

async function keep(folder: string, directory: string, model: TinyModel): Promise<void> {
  await mkdir(directory, { recursive: true });
  const names = { entity: "demo", project: "tiny", name: "base" };
  await writeCheckpoint(directory, model, { model: names, step: 0, base_model: baseModelName });
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (name.startsWith("base-") && other !== directory) await rm(other, { recursive: true, force: true });
  }
}

async function readCorpus(): Promise<ReturnType<typeof parseCorpus>> {
  const files = await filesOf("corpus");
  const texts = await Promise.all(
    files.map(async (file) => parseCorpus(await readFile(join(home, file), "utf8"), file)),
  );
  return texts.flat();
}

async function digestOfSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await Promise.all(sources.map(filesOf))).flat();
  const texts = await Promise.all(files.map((file) => readFile(join(home, file))));
  for (const [index, text] of texts.entries()) hash.update(`${files[index]} ${text.length}\n`).update(text);
  return hash.digest("hex").slice(0, 16);
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(join(home, folder));
  return names
    .filter((name) => /\.(?:ts|txt)$/.test(name) && !name.endsWith(".test.ts"))
    .sort()
    .map((name) => `${folder}/${name}`);
}
