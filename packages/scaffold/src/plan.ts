import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "@trainyard/contract";

/**
 * Files to write, all or none. What is read sees what is planned, so that one part can build on another; paths are
 * relative to the root, with `/`.
 */
export class Plan {
  readonly root: string;
  readonly #created: Map<string, string> = new Map();
  readonly #edited: Map<string, string> = new Map();
  readonly #told: string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  /** Whether there is a file or a folder of that name. */
  has(file: string): boolean {
    return this.#created.has(file) || existsSync(join(this.root, file));
  }

  /** @throws {@link Failure} where the file is missing. */
  read(file: string): string {
    const planned = this.#created.get(file) ?? this.#edited.get(file);
    if (planned !== undefined) return planned;
    if (!this.has(file)) throw new Failure(`${file} is missing, and is needed here.`);
    return readFileSync(join(this.root, file), "utf8");
  }

  /** Names of the files in a folder, none where there is no such folder. */
  list(folder: string): string[] {
    const path = join(this.root, folder);
    const present = existsSync(path) ? readdirSync(path) : [];
    const planned = [...this.#created.keys()].filter((file) => dirname(file) === folder);
    return [...new Set([...present, ...planned.map((file) => file.slice(folder.length + 1))])].sort();
  }

  /** @throws {@link Failure} where the file is there already: nothing is ever overwritten. */
  create(file: string, text: string): void {
    if (this.has(file)) throw new Failure(`${file} is there already. Choose another name, or edit that file.`);
    this.#created.set(file, text);
  }

  edit(file: string, change: (text: string) => string): void {
    const before = this.read(file);
    const text = change(before);
    if (text === before) return;
    if (this.#created.has(file)) this.#created.set(file, text);
    else this.#edited.set(file, text);
  }

  /** Has something said beside the files. It is a sentence. */
  tell(sentence: string): void {
    this.#told.push(sentence);
  }

  get told(): readonly string[] {
    return this.#told;
  }

  /** What is written, edits last. */
  get files(): readonly string[] {
    return [...this.#created.keys(), ...this.#edited.keys()];
  }

  /** Writes everything. Where a file cannot be written, what was written before it is taken back. */
  apply(): void {
    const undo: (() => void)[] = [];
    try {
      for (const [file, text] of this.#created) {
        const path = join(this.root, file);
        const made = mkdirSync(dirname(path), { recursive: true });
        undo.push(() => rmSync(made ?? path, { recursive: true, force: true }));
        writeFileSync(path, text, { flag: "wx" });
      }
      for (const [file, text] of this.#edited) {
        const path = join(this.root, file);
        const before = readFileSync(path, "utf8");
        undo.push(() => writeFileSync(path, before));
        writeFileSync(path, text);
      }
    } catch (error) {
      for (const step of undo.toReversed()) step();
      throw error;
    }
  }
}
