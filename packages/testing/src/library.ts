import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fixture = join(import.meta.dirname, "../../codegen/fixtures/library");

/** A repository of its own, in a temporary folder. */
export interface LibraryRepository {
  readonly root: string;
  /** Replaces a text of a file of its service. @throws Error where the file does not have it */
  edit(file: string, before: string, now: string): void;
  /** Deletes the folder. */
  remove(): void;
}

/** Makes a repository with one service, `atlas`, which is none of ours, as the only commit of its branch `main`. */
export function libraryRepository(): LibraryRepository {
  const root = mkdtempSync(join(tmpdir(), "trainyard-library-"));
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, ...args], { cwd: root, stdio: "pipe" });
  };
  cpSync(fixture, root, { recursive: true });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "The documents");
  return {
    root,
    edit(file, before, now) {
      const path = join(root, "openapi/atlas", file);
      const text = readFileSync(path, "utf8");
      if (!text.includes(before)) throw new Error(`${file} does not hold: ${before}`);
      writeFileSync(path, text.replace(before, now));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
