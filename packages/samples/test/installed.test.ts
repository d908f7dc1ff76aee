import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startServices, type Services } from "../start/services.ts";
import { available, run, type Outcome } from "./run.ts";

// What a reader does outside of the repository: packs the packages, installs them in a program by the lines of the pages, and
// runs the commands of the guides from there. Needs the npm registry.
const root = join(import.meta.dirname, "../../..");
const guides = "packages/docs/src/content/docs/guides";
const isAsked =
  process.env["SAMPLE_ROUNDS"] !== undefined &&
  available("sh", ["-c", "npm --version"]);

/** The blocks and samples for a shell on a page, in order. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const found = text.matchAll(
    /^```sh\n([^]*?)^```|<Sample file="(shell\/[^"]+)"/gm,
  );
  return [...found].map(
    ([, block, sample]) =>
      block ?? readFileSync(join(root, "packages/samples", String(sample)), "utf8"),
  );
}

/** The commands of a page that install packed packages. */
const linesOf = (page: string): string[] =>
  blocksOf(page).filter((block) => block.startsWith("npm install "));

function outputOf({ status, output, errors }: Outcome): string {
  if (status !== 0) throw new Error(`It ended with ${status}:\n${errors}${output}`);
  return output;
}

describe.skipIf(!isAsked)("a program with the packed packages", () => {
  let folder = "";
  let services: Services;

  /** Runs commands in a folder beside the clone, with no more on the path than a reader has. */
  async function shell(
    at: string,
    commands: string,
    variables: Record<string, string> = {},
  ) {
    const cwd = join(folder, at);
    mkdirSync(cwd, { recursive: true });
    const path = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];
    return outputOf(
      await run("sh", ["-ec", commands], cwd, {
        PATH: path.join(delimiter),
        ...variables,
      }),
    );
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trainyard-installed-"));
    const clients = join(folder, "trainyard/.cache/clients");
    outputOf(await run("pnpm", ["release", "pack", "--out", clients], root, {}));
    services = await startServices({ port: 0 });
    for (const line of linesOf(`${guides}/getting-started.mdx`))
      await shell("program", line);
    return async () => {
      await services.close();
      rmSync(folder, { recursive: true });
    };
  }, 600_000);

  it.each(["shell", "verify"])(
    "runs the commands of the guide %s",
    async (guide) => {
      const commands = blocksOf(`${guides}/${guide}.mdx`).join("\n");
      expect(commands).toMatch(/^trainyard (call|verify) /m);
      const output = await shell(
        "program",
        `${commands}\ncommand -v trainyard`,
        services.variables,
      );
      expect(output).toContain(join(folder, "program/node_modules/.bin/trainyard"));
      expect(output).not.toContain(services.variables["TRAINYARD_API_KEY"]);
    },
  );

  it("uses the mock, installed by the line of the manifest", async () => {
    const { packages }: { packages: { name: string; install: { npm: string } }[] } =
      JSON.parse(
        readFileSync(
          join(folder, "trainyard/.cache/clients/manifest.json"),
          "utf8",
        ),
      );
    const mock = packages.find(({ name }) => name === "@trainyard/mock");
    await shell("tested", mock?.install.npm ?? "");
    writeFileSync(
      join(folder, "tested/program.mjs"),
      `import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { startMock } from "@trainyard/mock";
const mock = await startMock();
const { hardware } = await createAuxiliaryClient(mock.connect("auxiliary")).hardware.list({ model: "tiny" });
console.log(hardware.length > 0);
await mock.close();`,
    );
    expect(await shell("tested", "node program.mjs")).toBe("true\n");
  });

  const pages = ["README.md", ...globSync("packages/*/README.md", { cwd: root })];
  it.each(pages.filter((page) => linesOf(page).length > 0))(
    "%s names all that its line needs",
    async (page) => {
      for (const [index, line] of linesOf(page).entries()) {
        const first = line.split("\nnpx ")[0] ?? "";
        await shell(`of-${page.replaceAll(/\W/g, "-")}-${index}`, first);
      }
    },
  );
});
