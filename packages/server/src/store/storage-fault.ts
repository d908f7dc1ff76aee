/** The data cannot be read or written. The message is for who sent the request. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";
  /** What is wrong, as a sentence. */
  readonly fault: string;

  constructor(fault: string) {
    super(`${fault} Nothing of this request was stored. Send it again once this is repaired.`);
    this.fault = fault;
  }
}

/** What is wrong if there is no space. */
export const diskFull = "The disk of the server's data is full.";

/** SQLite's result codes that concern the storage, each as a sentence. Other codes are errors of the program. */
const sentences: Readonly<Record<number, string>> = {
  3: "The server has no permission to open its data.",
  5: "Another program has locked the server's data.",
  6: "Another program has locked the server's data.",
  8: "The server's data is read-only.",
  10: "The storage of the server's data fails.",
  11: "The server's data is damaged.",
  13: diskFull,
  14: "The server's data cannot be opened.",
  26: "The server's data is damaged.",
};

/** The result code of an error of SQLite, without its extension; undefined for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** The storage fault that an error reports; undefined for other errors. */
export function storageSentence(error: unknown): string | undefined {
  if (error instanceof StorageFault) return error.fault;
  return sentences[resultCode(error) ?? 0];
}

const restore =
  "Restore a backup, or name another folder with --data for an empty server. " +
  "`sqlite3 FILE .recover` writes out what can still be read.";

/** Why a data file cannot be served, with the file and the fix. Other errors are returned unchanged. */
export function openingFault(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const because = error.message;
  const sentences: Readonly<Record<number, string>> = {
    3: `This user has no permission to open the data file ${file}. Grant it access to the file and its folder.`,
    5: `The data file ${file} is locked by another program. End that program, or choose another folder.`,
    8: `The data file ${file} cannot be written (${because}). Let this user write to the file and its folder, or choose another folder.`,
    10: `The data file ${file} cannot be read or written (${because}). Check that its disk works and has free space.`,
    11: `The data file ${file} is damaged (${because}). ${restore}`,
    13: `The disk of the data file ${file} is full. Free some space, and start again.`,
    14: `The data file ${file} cannot be opened. Grant this user access to the file and its folder, and check that the disk has free space.`,
    26: `The file ${file} is not a Trainyard data file, or it is damaged (${because}). ${restore}`,
  };
  const sentence = sentences[resultCode(error) ?? 0];
  return sentence === undefined ? error : new Error(sentence.replace("FILE", file), { cause: error });
}
