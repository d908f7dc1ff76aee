import { lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { stillMine } from "../store/clean-end.ts";

/**
 * Returns a check that throws once the folder of checkpoints is no longer the one that is there now.
 *
 * @public Used through the whole module, which a page does not load.
 */
export const checkFolder = (root: string): (() => void) => stillMine("folder of checkpoints", root);

/**
 * Flushes a folder with all that is in it, the folder last.
 *
 * @throws Error that names an entry that is neither a file, a folder nor a link within the folder
 */
export async function flushAll(root: string, folder: string = root): Promise<void> {
  // A link would be the checkpoint: to files of others, or to ones that change later.
  if (!(await lstat(folder)).isDirectory())
    throw new Error("The trainer replaced output.directory. Write files into it.");
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = JSON.stringify(relative(root, path));
    if (entry.isDirectory()) await flushAll(root, path);
    else if (entry.isFile()) await flush(path);
    else if (!entry.isSymbolicLink()) {
      throw new Error(
        `The trainer left ${name} in output.directory, which is neither a file nor a folder. Write files only.`,
      );
    } else if (!(await isWithin(root, path))) {
      throw new Error(
        `The trainer left the link ${name} in output.directory, which leads elsewhere. Copy the file instead.`,
      );
    }
  }
  await flush(folder);
}

/** Whether a link still leads into a folder after the folder was moved. Its target is not opened. */
async function isWithin(root: string, link: string): Promise<boolean> {
  if (isAbsolute(await readlink(link))) return false;
  const [whole, target] = await Promise.all([realpath(root), realpath(link).catch(() => "")]);
  return target.startsWith(whole + sep);
}

/** Flushes a file or a folder. Windows opens no folder, and keeps its entries by itself. */
export async function flush(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (process.platform !== "win32") throw error;
  }
}
