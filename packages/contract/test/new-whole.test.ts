import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { makeNew } from "../src/new/command.ts";

const repository = join(import.meta.dirname, "../../..");

/** One of each kind, and in each service operations of several sorts: with a body, by id, by a name, paged. */
const wishes = [
  "schema training Note --property id:uuid --property owner?:Model|null --property at:date-time",
  "schema common Stamp --property tags:string[]",
  "operation training models.notes.create --verb post --path /v1/preview/models/{model_id}/notes --body Note --resend with-key",
  "operation training models.notes.list --verb get --path /v1/preview/models/{model_id}/notes --page",
  "operation training models.notes.get --verb get --path /v1/preview/models/{model_id}/notes/{note_id}",
  "operation inference usage.get --verb get --path /usage",
  "operation inference ratings.create --verb post --path /ratings --body Rating",
  "operation inference models.labels.list --verb get --path /models/{model_name}/labels --page",
  "operation auxiliary objects.notes.create --verb post --path /obj/{object_id}/notes --body ObjectNote",
  "operation auxiliary objects.digests.list --verb get --path /obj/{object_name}/digests --page",
  "operation auxiliary hardware.bookings.delete --verb delete --path /bookings/{booking_id}",
  "service billing",
  "operation billing invoices.list --verb get --path /invoices --page",
  "operation billing invoices.pay --verb post --path /invoices/{invoice_id}/pay --body Payment",
];

/**
 * All of `pnpm contract:change && pnpm test` on a copy of the repository in which one of each kind was made. Minutes, and pnpm's
 * store has to hold what the lockfile names: `pnpm test:contract`.
 */
it.runIf(process.env["TRAINYARD_WHOLE"] !== undefined)(
  "leaves a repository in which everything passes",
  { timeout: 1_800_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), "trainyard-whole-"));
    const run = (command: string, ...args: string[]): string => {
      const env = { ...process.env, NO_COLOR: "1" };
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", env });
      // What failed says so at its end.
      if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed.\n${`${stderr}\n${stdout}`.slice(-6000)}`);
      return stdout;
    };
    const git = (...args: string[]): string =>
      run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false", ...args);
    const pnpm = (...args: string[]): string => run("npx", "-y", "pnpm@12", ...args);
    try {
      const list = ["ls-files", "-co", "--exclude-standard", "-z"];
      const files = execFileSync("git", list, { cwd: repository, encoding: "utf8" }).split("\0");
      for (const file of files.filter((name) => name !== "" && existsSync(join(repository, name)))) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        cpSync(join(repository, file), join(root, file));
      }
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-qm", "The repository");
      const nobody = (what: string): Promise<string> => Promise.reject(new Error(`${what} is needed.`));
      for (const wish of wishes) await makeNew(root, wish.split(" "), nobody);
      pnpm("install", "--offline", "--no-frozen-lockfile");
      expect(pnpm("contract:change")).toContain("billing");
      expect(pnpm("test")).toContain("0 failed");
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
