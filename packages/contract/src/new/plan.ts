import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../failure.ts";

/**
 * Files to write: all of them, or none. Reading returns planned contents, so that one part can build on another. Paths
 * are relative to the root, with `/`.
 */
export class Plan {
  readonly root: string;
  readonly #created: Map<string, string> = new Map();
  readonly #edited: Map<string, string> = new Map();
  readonly #notes: string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  /** Whether a file or a folder of that name exists. */
  has(file: string): boolean {
    return this.#created.has(file) || existsSync(join(this.root, file));
  }

  /** @throws {@link Failure} if the file is missing */
  read(file: string): string {
    const planned = this.#created.get(file) ?? this.#edited.get(file);
    if (planned !== undefined) return planned;
    if (!this.has(file)) throw new Failure(`${file} is required, but does not exist.`);
    return readFileSync(join(this.root, file), "utf8");
  }

  /** The names of the files in a folder; empty if the folder does not exist. */
  list(folder: string): string[] {
    const path = join(this.root, folder);
    const present = existsSync(path) ? readdirSync(path) : [];
    const planned = [...this.#created.keys()].filter((file) => dirname(file) === folder);
    return [...new Set([...present, ...planned.map((file) => file.slice(folder.length + 1))])].sort();
  }

  /** @throws {@link Failure} if the file exists: existing files are never overwritten */
  create(file: string, text: string): void {
    if (this.has(file)) throw new Failure(`${file} already exists. Choose another name, or edit that file.`);
    this.#created.set(file, text);
  }

  edit(file: string, change: (text: string) => string): void {
    const before = this.read(file);
    const text = change(before);
    if (text === before) return;
    if (this.#created.has(file)) this.#created.set(file, text);
    else this.#edited.set(file, text);
  }

  /** Adds a note for the user, as a sentence. */
  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The planned files; edited ones come last. */
  get files(): readonly string[] {
    return [...this.#created.keys(), ...this.#edited.keys()];
  }

  /** Writes all files. If one cannot be written, the ones before it are restored. */
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
