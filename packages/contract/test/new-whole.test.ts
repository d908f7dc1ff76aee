import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeNew } from "../src/new/command.ts";

const repository = join(import.meta.dirname, "../../..");

/**
 * The whole of `pnpm generate && pnpm test` on a copy of the repository in which one of each kind was made. Minutes, and
 * pnpm's store has to hold what the lockfile names: `TRAINYARD_WHOLE=1 vitest run --project contract new-whole`.
 */
it.runIf(process.env["TRAINYARD_WHOLE"] !== undefined)(
  "leaves a repository in which everything passes",
  { timeout: 1_800_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), "trainyard-whole-"));
    const run = (command: string, ...args: string[]): string =>
      execFileSync(command, args, {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
        env: { ...process.env, NO_COLOR: "1" },
      });
    const pnpm = (...args: string[]): string => run("npx", "-y", "pnpm@12", ...args);
    try {
      const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
        cwd: repository,
        encoding: "utf8",
      });
      for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(repository, name)))) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        cpSync(join(repository, file), join(root, file));
      }
      run("git", "init", "-q", "-b", "main");
      const nobody = (what: string): Promise<string> => Promise.reject(new Error(`${what} is needed.`));
      const make = (...args: string[]): Promise<readonly string[]> => makeNew(root, args, nobody);
      await make("schema", "auxiliary", "Note", "--property", "text:string", "--property", "owner?:ObjSchema|null");
      const path = "/obj/{object_id}/notes";
      await make("operation", "auxiliary", "objects.notes.create", "--verb", "post", "--path", path, "--body", "Note");
      await make("service", "billing");
      pnpm("install", "--offline");
      expect(pnpm("generate")).toContain("billing");
      expect(pnpm("test")).toContain("0 failed");
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
