import {
  cpSync,
  existsSync,
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
import { chosen } from "@trainyard/release/chosen";
import { askPublicRegistry, Unavailable } from "@trainyard/release/npm";
import { installTools } from "@trainyard/release/tools";
import { published } from "@trainyard/release/workspace";
import { startServices, type Services } from "../start/services.ts";
import { available, run, type Outcome } from "./run.ts";

// What a reader does outside of the repository: packs the packages, installs them in a program by the lines of the pages, and
// runs the commands of the guides from there. Needs the npm registry.
const root = join(import.meta.dirname, "../../..");
const guides = "packages/docs/src/content/docs/guides";
const isAsked =
  process.env["SAMPLE_ROUNDS"] !== undefined &&
  available("sh", ["-c", "npm --version"]) &&
  isRegistryThere();

function isRegistryThere(): boolean {
  try {
    installTools("managers");
    askPublicRegistry(root);
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    throw error;
  }
}

/** The options of a strict program. */
const strict =
  "--strict --skipLibCheck false --noEmit --target es2023 --lib es2023,dom,dom.iterable,esnext.disposable --module nodenext --types node";

/** Where the package managers keep what they have downloaded, in the place of the folders of this machine. */
const emptyCaches = (folder: string): Record<string, string> => ({
  npm_config_cache: folder,
  XDG_CACHE_HOME: folder,
  XDG_DATA_HOME: folder,
  YARN_GLOBAL_FOLDER: folder,
  BUN_INSTALL_CACHE_DIR: folder,
});

/** The blocks for a shell on a page, in order. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```sh.*\n([^]*?)^```/gm)].map(
    ([, block = ""]) => block,
  );
}

/** The commands of a page that put packages into a program. */
const linesOf = (page: string): string[] =>
  blocksOf(page)
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.includes("release pack --into"));

/** The names of a line: `[]` for the packages that it puts by default. */
const namesOf = (line: string): string[] =>
  (/--into \S+ ?([^#]*)/.exec(line)?.[1] ?? "").split(" ").filter(Boolean);

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
      // A package manager that runs these tests speaks for none of these.
      await run(
        "sh",
        ["-ec", `unset npm_config_user_agent npm_config_offline\n${commands}`],
        cwd,
        {
          PATH: path.join(delimiter),
          // Where it is set, a package manager refuses to write the first lockfile.
          CI: "",
          ...variables,
        },
      ),
    );
  }

  /** Runs the command of the pages. */
  async function putInto(at: string, names: readonly string[]): Promise<string> {
    mkdirSync(join(folder, at), { recursive: true });
    const args = ["release", "pack", "--into", join(folder, at), ...names];
    return outputOf(await run("pnpm", args, root, {}));
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trainyard-installed-"));
    services = await startServices({ port: 0 });
    await putInto("program", ["training", "mock", "trainyard"]);
    await shell("program", "npm install --no-audit --no-fund");
    return async () => {
      await services.close();
      rmSync(folder, { recursive: true });
    };
  }, 600_000);

  it.each(["shell", "verify"])(
    "runs the commands of the guide %s",
    async (guide) => {
      const blocks = blocksOf(`${guides}/${guide}.mdx`).join("\n");
      // In a program, as the guides say it.
      const commands = blocks.replaceAll(
        "npx -y pnpm@12 trainyard",
        "npx trainyard",
      );
      expect(commands).toMatch(/^npx trainyard (call|verify) /m);
      const output = await shell("program", commands, services.variables);
      expect(output).not.toBe("");
      expect(output).not.toContain(services.variables["TRAINYARD_API_KEY"]);
    },
  );

  /** The package managers, and how each runs a command of a package. Their own folder is not on the path. */
  const managers = (): Record<
    string,
    readonly [manager: string, command: string]
  > => {
    const own = (name: string): string =>
      `"${join(installTools("managers"), "node_modules/.bin", name)}"`;
    return {
      npm: [own("npm"), own("npx")],
      pnpm: ["npx -y pnpm@12", "npx -y pnpm@12 exec"],
      yarn: [own("yarn"), own("yarn")],
      bun: [own("bun"), own("bunx")],
    };
  };

  it.for(["npm", "pnpm", "yarn", "bun"])(
    "installs into an empty folder with %s, with an empty cache, and runs a program, a test, and the command",
    async (name, { skip }) => {
      const [manager = "", command = ""] = managers()[name] ?? [];
      await shell(name, `${manager} --version`).catch(() =>
        skip(`${name} cannot be started`),
      );
      const printed = await putInto(name, [
        "training",
        "mock",
        "server",
        "trainyard",
      ]);
      expect(printed).toContain(`&& npm install     # or pnpm, yarn, bun\n`);
      const lines = printed.split("\n").filter((line) => line.startsWith("  "));
      const first = lines.slice(
        lines.findIndex((line) => line.includes("import ")),
      );
      writeFileSync(join(folder, name, "first.mts"), first.join("\n"));
      const test = `import assert from "node:assert";
        import { test } from "node:test";
        import { mockService } from "@trainyard/mock";
        import { createTrainingClient } from "@trainyard/training";
        await test("a first test", async () => {
          const mock = mockService("training");
          mock.once("models.listBase", { body: ["mine"] });
          assert.deepEqual(await createTrainingClient(mock.connect()).models.listBase(), ["mine"]);
        });`;
      writeFileSync(join(folder, name, "test.mts"), test);
      const sample = join(root, "packages/samples/programs/local-server.ts");
      cpSync(sample, join(folder, name, "local-server.mts"));
      const manifest = join(folder, name, "package.json");
      const devDependencies = { typescript: "5.9.3", "@types/node": "24.10.1" };
      writeFileSync(
        manifest,
        JSON.stringify({
          ...JSON.parse(readFileSync(manifest, "utf8")),
          devDependencies,
        }),
      );
      await shell(
        name,
        `${manager} install`,
        emptyCaches(join(folder, `${name}-caches`)),
      );
      // Plug'n'Play of yarn needs its own start.
      const start = name === "yarn" ? `${manager} ` : "";
      // The declarations of the packages themselves are checked, too.
      const compiler = name === "yarn" ? "tsc" : "node_modules/.bin/tsc";
      await shell(name, `${start}${compiler} ${strict} *.mts`);
      expect(await shell(name, `${start}node first.mts`)).toBe("[ 'demo/tiny' ]\n");
      expect(await shell(name, `${start}node local-server.mts`)).toMatch(
        /'val\/reward': 0\.75/,
      );
      expect(await shell(name, `${start}node test.mts`)).toContain("a first test");
      expect(await shell(name, `${command} trainyard --help`)).toContain(
        "serves the three services",
      );
      // Where its guides are, without a browser.
      if (name === "yarn") return;
      const own = join(folder, name, "node_modules/@trainyard/training");
      const agents = readFileSync(join(own, "AGENTS.md"), "utf8");
      for (const [, guide = ""] of agents.matchAll(/\((docs\/[^)]+)\)/g))
        expect(readFileSync(join(own, guide), "utf8")).toMatch(/^# /);
      expect(agents).toContain("(docs/guides/training.md)");
    },
  );

  it.for(["npm", "yarn", "bun", "pnpm@10", "pnpm@11"])(
    "%s, typed in the repository by mistake, names pnpm 12 and changes nothing",
    async (name, { skip }) => {
      const clone = join(folder, `clone-${name}`);
      const files = [
        ...globSync("packages/*/package.json", { cwd: root }),
        "package.json",
        "scripts/package.json",
        "bunfig.toml",
        ".pnpmfile.mjs",
        "pnpm-lock.yaml",
        "pnpm-workspace.yaml",
      ];
      for (const file of files) cpSync(join(root, file), join(clone, file));
      const [manager] = managers()[name] ?? [`npx -y ${name}`];
      const at = `clone-${name}`;
      await shell(at, `${manager} --version`).catch(() =>
        skip(`${name} cannot be started`),
      );
      const said = await shell(at, `! ${manager} install 2>&1`);
      expect(said).toMatch(
        /install-with-pnpm-12|Use pnpm 12|Expected version: >=12/,
      );
      for (const file of files)
        expect(readFileSync(join(clone, file))).toEqual(
          readFileSync(join(root, file)),
        );
      // Bun asks only at the end. What it leaves, pnpm replaces.
      if (name !== "bun")
        expect(existsSync(join(clone, "node_modules/.bin"))).toBe(false);
    },
  );

  it("is added to a program that has a lockfile: the template of create-vite", async () => {
    mkdirSync(join(folder, "vite"), { recursive: true });
    const create =
      "npx -y create-vite@9.1.2 . --template vanilla-ts --no-interactive";
    await shell("vite", `${create} && npm install --no-audit --no-fund`);
    const before = JSON.parse(
      readFileSync(join(folder, "vite/package.json"), "utf8"),
    );
    await putInto("vite", ["training"]);
    const after = JSON.parse(
      readFileSync(join(folder, "vite/package.json"), "utf8"),
    );
    expect({ ...after, dependencies: undefined }).toEqual({
      ...before,
      dependencies: undefined,
    });
    const program =
      'import { createTrainingClient } from "@trainyard/training";\nconsole.log(createTrainingClient({ baseUrl: "http://127.0.0.1:1", apiKey: "a" }));\n';
    writeFileSync(join(folder, "vite/src/main.ts"), program);
    await shell("vite", "npm install --no-audit --no-fund && npm run build");
  });

  it("is loaded by a CommonJS program, with the oldest Node that the clients support", async () => {
    mkdirSync(join(folder, "common"), { recursive: true });
    const manifest = { name: "common", dependencies: { "left-pad": "1.3.0" } };
    writeFileSync(join(folder, "common/package.json"), JSON.stringify(manifest));
    await shell("common", "npm install --no-audit --no-fund");
    await putInto("common", ["training", "mock"]);
    await shell("common", "npm install --no-audit --no-fund");
    const program = `async function main() {
        const { startMock } = await import("@trainyard/mock");
        const { createTrainingClient } = await import("@trainyard/training");
        const mock = await startMock();
        console.log(require("left-pad")(1, 2), await createTrainingClient(mock.connect("training")).models.listBase());
        await mock.close();
      }
      main();`;
    writeFileSync(join(folder, "common/main.cjs"), program);
    expect(await shell("common", "npx -y -p node@20.20.2 node main.cjs")).toBe(
      " 1 [ 'demo/tiny' ]\n",
    );
  });
});

const pages = [
  "README.md",
  `${guides}/program.mdx`,
  ...globSync("packages/*/README.md", { cwd: root }),
];
const all = published().map(({ manifest }) => ({ name: manifest.name, manifest }));
it.each(pages.filter((page) => linesOf(page).length > 0))(
  "%s names packages that there are",
  (page) => {
    for (const line of linesOf(page))
      expect(() => chosen(namesOf(line), all)).not.toThrow();
  },
);
