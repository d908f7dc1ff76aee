/** The completion in real shells. A shell that is not installed is left out by its name. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { run } from "./completion.ts";

const folder = mkdtempSync(join(tmpdir(), "trainyard-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file of the folder, with what a command prints. */
async function write(name: string, ...args: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await run(args);
    const file = join(folder, name);
    writeFileSync(file, `${log.mock.calls.join("\n")}\n`);
    return file;
  } finally {
    log.mockRestore();
  }
}

function shell(name: string, ...args: string[]): string {
  const env = { ...process.env, ZDOTDIR: folder, HOME: folder, TERM: "xterm" };
  const { stdout, stderr, status } = spawnSync(name, args, { encoding: "utf8", env, timeout: 30_000 });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

const has = (name: string): boolean => spawnSync(name, ["-c", ":"]).status === 0;

describe.skipIf(!has("bash"))("bash", () => {
  let file: string;
  beforeAll(async () => {
    file = await write("bash", "bash");
  });

  /** What is offered for the last of some words. */
  function offered(script: string, ...words: string[]): string[] {
    const help = `printf '%s\\n' '  --base-url <a>  --basis <b>' '  --baseline' '  --[no-]console'`;
    const program = `source "$0"; trainyard() { ${help}; }; COMP_WORDS=(trainyard "$@"); COMP_CWORD=$#; _trainyard; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return shell("bash", "--norc", "-c", program, script, ...words)
      .trim()
      .split("\n");
  }

  it("loads it", () => {
    const printed = shell("bash", "--norc", "-c", 'source "$0" && complete -p trainyard', file);
    expect(printed).toBe("complete -o default -F _trainyard trainyard\n");
  });

  it.each([
    [["ca"], ["call"]],
    [["call", "models.cr"], ["models.create"]],
    [
      ["call", "models.create", "--ba"],
      ["--base_model", "--base-url"],
    ],
    [
      ["call", "models.create", "--return_existing", ""],
      ["true", "false"],
    ],
    [["call", "models.create", "--dry-run", "--return"], ["--return_existing"]],
    [["call", "models.create", "--name", ""], [""]],
    [
      ["call", "chat.completions.create", "--reasoning_effort", "m"],
      ["minimal", "medium", "max"],
    ],
    [
      ["call", "chat.completions.create", "--example", "stream-to"],
      ["stream-tools", "stream-tool-result"],
    ],
    [["call", "trainingJobs.createSft", "--config.b"], ["--config.batch_size"]],
    [["call", "--service", "inf"], ["inference"]],
    [["call", "--service", "training", "models.d"], ["models.delete"]],
    [["call", "chat.completions.create", "--messages.0.ro"], ["--messages.0.role"]],
    [
      ["call", "chat.completions.create", "--messages.0.role", ""],
      ["developer", "system", "user", "assistant", "tool", "function"],
    ],
    [["verify", ""], [""]],
    [
      ["verify", "--ba"],
      ["--base-url", "--baseline", "--basis"],
    ],
    [["serve", "--cons"], ["--console"]],
  ])("completes %j", (words, completed) => {
    expect(offered(file, ...words)).toEqual(completed);
  });

  it("knows the document of another service", async () => {
    const properties = { size: { enum: ["s", "m", "a b", "$(rm x)"] }, body: { type: "boolean" } };
    const content = { "application/json": { schema: { type: "object", properties }, example: {} } };
    const post = { operationId: "makeThing", tags: ["things"], requestBody: { content }, responses: { 204: {} } };
    const document = join(folder, "shop.json");
    const info = { title: "Shop", version: "1.0.0" };
    writeFileSync(document, JSON.stringify({ openapi: "3.1.0", info, paths: { "/things": { post } } }));
    const own = await write("own", "bash", "--document", document);
    const [operation = ""] = offered(own, "call", "things.");
    expect(operation).toMatch(/^things\.\w+$/);
    expect(offered(own, "call", operation, "--size", "")).toEqual(["s", "m"]);
    expect(offered(own, "call", operation, "--bod")).toEqual(["--body"]);
    expect(offered(own, "call", "models.")).toEqual([""]);
  });

  it("offers what all variants of a union list", async () => {
    const variant = (kind: string) => ({ properties: { kind: { const: kind } } });
    const content = { "application/json": { schema: { oneOf: [variant("cat"), variant("dog")] } } };
    const put = { operationId: "adopt", requestBody: { content }, responses: { 204: {} } };
    const document = join(folder, "pets.json");
    const info = { title: "Pets", version: "1.0.0" };
    writeFileSync(document, JSON.stringify({ openapi: "3.1.0", info, paths: { "/pets": { put } } }));
    const own = await write("pets", "bash", "--document", document);
    expect(offered(own, "call", "adopt", "--kind", "")).toEqual(["cat", "dog"]);
  });
});

describe.skipIf(!has("zsh"))("zsh", () => {
  it("completes what is typed at its prompt", { tags: ["long"] }, async () => {
    const file = await write("zsh", "zsh");
    const session = join(folder, "session");
    writeFileSync(
      session,
      [
        "zmodload zsh/zpty",
        "zpty z 'zsh -f -i'",
        `zpty -w z 'PROMPT=; trainyard() { print -r -- "called:" "$@"; }; source ${file}; print -r -- rea""dy'`,
        "zpty -r -m z out '*ready*'",
        "zpty -w z $'trainyard call models.cr\\t--return_existing t\\t--exam\\t return-\\t'",
        "zpty -r -m z out '*called: *call models.create --return_existing true --example return-existing*'",
        "zpty -d z",
        "print completed",
      ].join("\n"),
    );
    expect(shell("zsh", "-f", session)).toBe("completed\n");
  });
});

it.each([[[]], [["fish"]], [["bash", "zsh"]]])("asks for a shell that it knows, and not for %j", async (args) => {
  await expect(run(args)).rejects.toThrow("Name a shell: `trainyard completion bash` or `trainyard completion zsh`.");
});
