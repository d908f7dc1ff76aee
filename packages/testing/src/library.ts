import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const fixture = join(import.meta.dirname, "../../codegen/fixtures/library");

/**
 * Creates a repository with one service, `atlas`, as the only commit of its branch `main`. It is not a service of this
 * project.
 */
export function libraryRepository() {
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
    /** Replaces text in a file of its service. @throws Error if the file does not contain it */
    edit(file: string, before: string, now: string): void {
      const path = join(root, "openapi/atlas", file);
      const text = readFileSync(path, "utf8");
      if (!text.includes(before)) throw new Error(`${file} does not contain: ${before}`);
      writeFileSync(path, text.replace(before, now));
    },
    /** Deletes the folder. */
    remove: (): void => rmSync(root, { recursive: true, force: true }),
  };
}
