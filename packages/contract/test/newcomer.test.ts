import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { makeNew } from "../src/new/command.ts";

const repository = join(import.meta.dirname, "../../..");
const steps = stepsOf(readFileSync(join(repository, "CONTRIBUTING.md"), "utf8"), "## A first change, to try");

it("CONTRIBUTING has steps for a field, an operation, a service, and what follows", () => {
  const commands = steps.flatMap((step) => ("commands" in step ? step.commands : []));
  expect(steps.flatMap((step) => ("file" in step ? [[step.file, parse(step.text)]] : []))).toEqual([
    [
      "openapi/training/schemas/SftTrainingConfig.yaml",
      { note: { type: ["string", "null"], description: expect.any(String) } },
    ],
  ]);
  expect(
    commands.map((line) =>
      line
        .replace(/^npx -y pnpm@12 /, "")
        .split(" ")
        .slice(0, 3)
        .join(" "),
    ),
  ).toEqual([
    "contract new operation",
    "contract new service",
    "contract new operation",
    'echo "required: [batch_size]"',
    "! npx -y",
    "printf -- '---\\n---\\n\\nAccepted:",
    "contract check",
    "rm .changeset/batch.md",
    "sed -i '$d'",
    "contract change",
    "test",
  ]);
});

/** More than a newcomer makes: in each service operations of several sorts, with a body, by id, by a name, paged. */
const requests = [
  "schema common Stamp --property tags:string[]",
  "schema training Note --property id:uuid --property owner?:Model|null --property at:date-time --property stamp?:Stamp",
  "operation training models.notes.create --verb post --path /v1/preview/models/{model_id}/notes --body Note --resend with-key",
  "operation inference usage.get --verb get --path /usage",
  "operation inference ratings.create --verb post --path /ratings --body Rating",
  "operation inference models.labels.list --verb get --path /models/{model_name}/labels --page",
  "operation auxiliary objects.shelves.list --verb get --path /obj/{object_id}/shelves --page",
  "operation auxiliary objects.shelves.get --verb get --path /obj/{object_id}/shelves/{shelf_id}",
  "operation auxiliary objects.notes.create --verb post --path /obj/{object_id}/notes --body ObjectNote",
  "operation auxiliary objects.digests.list --verb get --path /obj/{object_name}/digests --page",
  "operation auxiliary hardware.bookings.delete --verb delete --path /bookings/{booking_id}",
  "operation billing invoices.pay --verb post --path /invoices/{invoice_id}/pay --body Payment",
];

/**
 * A newcomer's trial, from CONTRIBUTING alone, on a copy of the repository, and more of each kind. Minutes, and pnpm's store
 * has to hold what the lockfile names: `pnpm exec vitest run --project changes`.
 */
it.runIf(process.env["TRAINYARD_WHOLE"] !== undefined)(
  "the steps result in a repository that passes all checks, with the new service everywhere",
  { timeout: 3_600_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), "trainyard-whole-"));
    // pnpm says to the scripts below a script that what is installed needs no look. A newcomer's shell says nothing of it. Where
    // CI is set, pnpm would refuse to install the new service, which the lockfile does not have yet.
    const { pnpm_config_verify_deps_before_run: _, ...outside } = process.env;
    const env = { ...outside, NO_COLOR: "1", CI: "" };
    const run = (command: string, ...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", env });
      if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed.\n${endOf(`${stderr}\n${stdout}`)}`);
      return stdout;
    };
    const git = (...args: string[]): string =>
      run("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false", ...args);
    try {
      copyRepository(root);
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-qm", "The repository");
      run("npx", "-y", "pnpm@12", "install", "--offline");
      const printed: string[] = [];
      for (const step of steps) {
        if ("file" in step) addTo(root, step);
        else for (const line of step.commands.filter(isNew)) printed.push(run("sh", "-c", line));
      }
      for (const request of requests) {
        const described = request.startsWith("operation") ? ["--description", "What a newcomer needs."] : [];
        await makeNew(root, [...request.split(" "), ...described]);
      }
      // So many operations at once are more than clients may grow without a look.
      run("npx", "-y", "pnpm@12", "generate");
      run("npx", "-y", "pnpm@12", "bench", "size", "--write");
      for (const step of steps) {
        if ("commands" in step) for (const line of step.commands) if (!isNew(line)) printed.push(run("sh", "-c", line));
      }
      const [refused, , accepted] = printed.slice(-7);
      expect(refused).toContain("Nobody accepted this: SftTrainingConfig.batch_size: ");
      expect(accepted).toContain("Accepted: Every caller sends it. (.changeset/batch.md)");
      const [change, test] = printed.slice(-2);
      expect(change).toContain("billing");
      expect(change).not.toMatch(/\d+ breaking|^ +breaking/m);
      expect(test).toContain("0 failed");
      await expect(served(root, env, "mock")).resolves.toMatchObject({ has_more: false });
      await expect(served(root, env, "serve", "--data", "memory")).resolves.toMatchObject({
        has_more: false,
      });
      writeFileSync(
        join(root, "packages/mock/src/billing.test-d.ts"),
        `import { mockService } from "./index.ts";
mockService("billing").once("invoices.list", { status: 503 });
// @ts-expect-error There is no such operation.
mockService("billing").once("invoices.lists", { status: 503 });
`,
      );
      run("npx", "-y", "pnpm@12", "check:types");
      run("npx", "-y", "pnpm@12", "run", "docs", "build");
      expect(existsSync(join(root, "packages/docs/dist/reference/billing/invoices.list/index.html"))).toBe(true);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

/** What failed, by name, and how it ended. */
function endOf(output: string): string {
  const failed = output.split("\n").filter((line) => /^\s*(×|✗|FAIL|AssertionError|\w*Error:)/.test(line));
  return `${failed.slice(0, 40).join("\n")}\n${output.slice(-3000)}`;
}

const isNew = (line: string): boolean => line.includes(" contract new ");

/** All that git has or would have. */
function copyRepository(root: string): void {
  const list = ["ls-files", "-co", "--exclude-standard", "-z"];
  const files = execFileSync("git", list, { cwd: repository, encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(join(repository, name)))) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(repository, file), join(root, file));
  }
}

/** Writes below the properties, at the end of a file. */
function addTo(root: string, { file, text }: Extract<Step, { file: string }>): void {
  const before = readFileSync(join(root, file), "utf8");
  writeFileSync(join(root, file), before + text.replaceAll(/^(?=.)/gm, "  "));
}

/** What a program of the repository answers when the invoices are asked for. */
async function served(root: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<unknown> {
  const options = [
    "--conditions=@trainyard/source",
    join(root, "packages/trainyard/src/cli.ts"),
    ...args,
    "--port",
    "0",
  ];
  const child = spawn(process.execPath, options, { cwd: root, env });
  try {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    await expect.poll(() => printed).toMatch(/Ctrl-C|key/i);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    const [, key = "any"] = /(?:key|KEY)\S*[ =:]+(\S{16,})/.exec(printed) ?? [];
    const answer = await fetch(`${url}/billing/invoices`, { headers: { Authorization: `Bearer ${key}` } });
    return await answer.json();
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** A step of a guide: lines for a shell, or text to append to a file. */
type Step = { readonly commands: readonly string[] } | { readonly file: string; readonly text: string };

/** The steps below a heading of a Markdown document, in order: each block of code that is indented below a number. */
function stepsOf(markdown: string, heading: string): Step[] {
  const [, after = ""] = markdown.split(`${heading}\n`);
  const [section = ""] = after.split(/^## /m);
  const blocks = /^( *)```(\w+)\n([^]*?)^ *```$/gm;
  return [...section.matchAll(blocks)].flatMap(({ 1: indent = "", 2: language, 3: code = "", index }): Step[] => {
    const text = code.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    if (language === "sh") return [{ commands: text.trim().split("\n") }];
    const file = /`(openapi\/[^`]+\.yaml)`[^`]*$/.exec(section.slice(0, index))?.[1];
    return file === undefined ? [] : [{ file, text }];
  });
}
