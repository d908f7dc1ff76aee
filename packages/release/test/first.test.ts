/** @module-tag long */
import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { published, readManifest, root as home } from "../src/lib/workspace.ts";
import { Unavailable } from "../src/lib/npm.ts";
import { installTools } from "../src/lib/tools.ts";
import { build } from "../src/pack/pack.ts";
import { startRegistry } from "./rehearsal/registry/registry.ts";

/** The address that the copy has. It is never reached. */
const address = "https://github.com/harbor/trainyard";
const tried = await (async () => {
  try {
    for (const tools of ["registry", "managers"] as const) installTools(tools);
    await promisify(execFile)("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=15000"]);
    return undefined;
  } catch (error) {
    return error instanceof Unavailable ? error.message : "the npm registry does not answer";
  }
})();

/** How each package manager updates within the ranges. */
const managers = { npm: "update", pnpm: "update", yarn: "up @trainyard/*", bun: "update" };

const environment = { NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost", NO_COLOR: "1", CI: "" };

/** Runs a line of a shell as somebody types it: what pnpm tells the programs that it starts is not there. */
async function shell(cwd: string, line: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const outside = Object.entries(process.env).filter(([name]) => !/^p?npm_|^INIT_CWD$|^GITHUB_/i.test(name));
  const env = { ...Object.fromEntries(outside), ...environment, ...variables };
  // Here pnpm is on the path, and `npx` would look for it in the registry on loopback.
  const command = line.replace(/^npx -y pnpm@12(?= \w)/, "pnpm").replace(/(?<== *\S+ )npx -y pnpm@12/, "pnpm");
  try {
    return (await promisify(execFile)("sh", ["-ec", command], { cwd, env, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error(`${String(error)}\n${String(Object(error).stdout)}`, { cause: error });
  }
}

/** A copy of this repository with what is built and installed, and with an address, in a git of its own. */
async function copyRepository(): Promise<string> {
  build();
  const root = join(makeTemporaryFolder("first"), "trainyard");
  const files = (await shell(home, "git ls-files -co --exclude-standard -z")).split("\0");
  for (const file of [...files, ...globSync("packages/*/{dist,node_modules}", { cwd: home }), "scripts/node_modules"])
    if (file !== "" && existsSync(join(home, file))) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      cpSync(join(home, file), join(root, file), { recursive: true, verbatimSymlinks: true });
    }
  symlinkSync(join(home, "node_modules"), join(root, "node_modules"), "junction");
  await shell(root, `git init -qb main && git config user.name Ada && git config user.email ada@host.example`);
  await shell(root, `npm pkg set repository=${address} && git add -A && git commit -qm "The repository"`);
  return root;
}

/** What a job of a workflow runs. */
function stepsOf(workflow: string, job: string): string[] {
  const file = join(home, `.github/workflows/${workflow}.yml`);
  const { jobs }: { jobs: Record<string, { steps: { run?: string }[] }> } = parse(readFileSync(file, "utf8"));
  const steps = (jobs[job]?.steps ?? []).flatMap(({ run }) => run ?? []);
  expect(steps).not.toEqual([]);
  return steps;
}

it.skipIf(tried !== undefined)(
  "the first publication, by the commands of CONTRIBUTING: bootstrap, release, installed by four package managers, upgraded",
  { timeout: 2_400_000 },
  async () => {
    const root = await copyRepository();
    const names = published().map(({ manifest }) => manifest.name);
    const { url, close } = await startRegistry(join(dirname(root), "registry"));
    onTestFinished(close);
    const registries = `registry=${url}\n@trainyard:registry=${url}\n${url.replace("http:", "")}:_authToken=none\n`;
    const variables = { pnpm_config_verify_deps_before_run: "false" };
    /** Runs a line with the registry on loopback in the place of the public one. No other line is near a publication. */
    const onLoopback = async (line: string, more: NodeJS.ProcessEnv = {}): Promise<string> => {
      writeFileSync(join(root, ".npmrc"), registries);
      const sent = { npm_config_registry: url, "npm_config_@trainyard:registry": url };
      try {
        return await shell(root, line, { ...variables, ...sent, ...more });
      } finally {
        rmSync(join(root, ".npmrc"));
      }
    };
    const tagsOf = async (name: string): Promise<unknown> =>
      JSON.parse(await onLoopback(`npm view "${name}" dist-tags --json --prefer-online`));

    const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    const commands = guide.match(/^npx -y pnpm@12 release pack$|^PNPM_CONFIG_PROVENANCE=.*$/gm) ?? [];
    expect(commands.at(-1)).toMatch(/changeset publish --tag bootstrap/);
    for (const command of commands) await onLoopback(command);
    // The names that get a trusted publisher.
    const [, list = ""] = /^for name in \$\((grep .*)\); do$/m.exec(guide) ?? [];
    expect((await shell(root, list)).trim().split("\n").toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(await tagsOf(name)).toMatchObject({ bootstrap: "0.1.0" });
    // Once more changes nothing.
    expect(await onLoopback(commands.at(-1) ?? "")).toContain("No unpublished projects to publish");
    expect(await shell(root, "git tag")).toBe("");

    let packed = 0;
    const release = async (): Promise<void> => {
      await shell(root, "pnpm release version", {
        ...variables,
        npm_config_offline: "true",
        pnpm_config_offline: "true",
      });
      await shell(root, "git add -A && git commit -qm 'Version packages'");
      const temporary = join(dirname(root), `packed-${++packed}`);
      mkdirSync(temporary);
      // What the action for publishing runs comes last.
      const publish = 'pnpm changeset publish --from-pack-dir "$RUNNER_TEMP/packed"';
      for (const command of [...stepsOf("release", "pack"), publish])
        await onLoopback(command, { RUNNER_TEMP: temporary, PNPM_CONFIG_PROVENANCE: "false" });
    };
    // Jobs of the workflows that need no host but its variables, for a pull request that changes nothing.
    const runner = join(dirname(root), "runner");
    mkdirSync(runner);
    await shell(root, "git update-ref refs/remotes/origin/main HEAD");
    const host = {
      RUNNER_TEMP: runner,
      BASE_URL: `${address}/releases/download/rolling`,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "harbor/trainyard",
      GITHUB_RUN_ID: "1",
      GITHUB_BASE_REF: "main",
      GITHUB_STEP_SUMMARY: join(runner, "summary.md"),
    };
    const steps = [...stepsOf("release", "clients"), ...stepsOf("contract", "verdict")];
    for (const step of steps) if (!step.startsWith("gh ")) await onLoopback(step, host);
    expect(readFileSync(join(runner, "contract.md"), "utf8")).toMatch(/\S/);
    expect(globSync("clients/*.tgz", { cwd: runner })).toHaveLength(names.length);
    await release();
    for (const name of names) expect(await tagsOf(name)).toEqual({ bootstrap: "0.1.0", latest: "1.0.0" });
    // Its packages say where they live.
    const [tarball = ""] = globSync("packed-1/packed/packages/trainyard-server-*.tgz", { cwd: dirname(root) });
    const manifest = await shell(dirname(root), `tar -xzOf ${tarball} package/package.json`);
    expect(JSON.parse(manifest)).toMatchObject({
      homepage: `${address}/tree/main/packages/server#readme`,
      bugs: `${address}/issues`,
    });
    expect(await shell(dirname(root), `tar -xzOf ${tarball} package/README.md`)).not.toMatch(/\]\((?!https:|#)/);

    const wanted = ["training", "mock", "server"].map((name) => [`@trainyard/${name}`, "^1.0.0"]);
    const folders = Object.entries(managers).map(([name, update]) => ({
      command: name === "pnpm" ? "pnpm" : join(installTools("managers"), "node_modules/.bin", name),
      update,
      folder: join(dirname(root), name),
    }));
    const installed = (folder: string): string =>
      readManifest(join(folder, "node_modules/@trainyard/training/package.json")).version;
    for (const { command, folder } of folders) {
      mkdirSync(folder);
      const program = { name: "program", private: true, type: "module", dependencies: Object.fromEntries(wanted) };
      writeFileSync(join(folder, "package.json"), JSON.stringify(program));
      writeFileSync(join(folder, ".npmrc"), `@trainyard:registry=${url}\n`);
      // A real program installs a release when it is older than a day.
      writeFileSync(join(folder, "pnpm-workspace.yaml"), "minimumReleaseAge: 0\n");
      const yarn = {
        nodeLinker: "node-modules",
        enableGlobalCache: false,
        npmPreapprovedPackages: ["@trainyard/*"],
        unsafeHttpWhitelist: ["127.0.0.1"],
        npmScopes: { trainyard: { npmRegistryServer: url } },
      };
      writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(yarn));
      if (command.endsWith("yarn")) writeFileSync(join(folder, "yarn.lock"), "");
      await shell(folder, `"${command}" install`);
      expect(installed(folder)).toBe("1.0.0");
      writeFileSync(
        join(folder, "first.mjs"),
        'import { startMock } from "@trainyard/mock";\nimport { createTrainingClient } from "@trainyard/training";\nconst mock = await startMock();\nconsole.log(await createTrainingClient(mock.connect("training")).models.listBase());\nawait mock.close();\n',
      );
      expect(await shell(folder, "node first.mjs")).toBe("[ 'demo/tiny' ]\n");
    }

    writeFileSync(join(root, ".changeset/patch.md"), `---\n"@trainyard/training": patch\n---\n\nA correction.\n`);
    await shell(root, "git add -A && git commit -qm 'Correct it'");
    await release();
    for (const { command, update, folder } of folders) {
      await shell(folder, `"${command}" ${update}`, { npm_config_prefer_online: "true" });
      expect(installed(folder)).toBe("1.0.1");
      expect(await shell(folder, "node first.mjs")).toBe("[ 'demo/tiny' ]\n");
    }
    console.log("Not rehearsed, because the registry on loopback cannot: trusted publishers, provenance.");
  },
);
