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

/** SQLite's result codes that say something of the storage, each as a sentence. Other codes are faults of ours. */
const sentences: Readonly<Record<number, string>> = {
  3: "The server may not open its data.",
  5: "Another program has locked the server's data.",
  6: "Another program has locked the server's data.",
  8: "The server's data is read-only.",
  10: "The storage of the server's data fails.",
  11: "The server's data is damaged.",
  13: "The disk of the server's data is full.",
  14: "The server's data cannot be opened.",
  26: "The server's data is damaged.",
};

/** The result code of an error of SQLite, without its extension; undefined for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

/** What an error says of the storage; undefined where it says nothing of it. */
export function storageSentence(error: unknown): string | undefined {
  return sentences[resultCode(error) ?? 0];
}

const restore =
  "Put a backup in its place, or move the file away to begin with nothing. " +
  "`sqlite3 FILE .recover` writes out what can still be read.";

/** Why a data file cannot be served, with the file and what to do. Other errors stay as they are. */
export function openingFault(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const because = error.message;
  const told: Readonly<Record<number, string>> = {
    3: `This user may not open the data file ${file}. Give it the rights to the file and its folder.`,
    5: `The data file ${file} is locked by another program. End that program, or choose another folder.`,
    8: `The data file ${file} cannot be written (${because}). Give this user the right to write to the file and its folder, or choose another folder.`,
    10: `The data file ${file} cannot be read or written (${because}). Look whether its disk works and has room.`,
    11: `The data file ${file} is damaged (${because}). ${restore}`,
    13: `The disk of the data file ${file} is full. Free some space, and start again.`,
    14: `The data file ${file} cannot be opened. Give this user the rights to the file and its folder, and look whether the disk has room.`,
    26: `The file ${file} is no data file of Trainyard, or it is damaged (${because}). ${restore}`,
  };
  const sentence = told[resultCode(error) ?? 0];
  return sentence === undefined ? error : new Error(sentence.replace("FILE", file), { cause: error });
}
