/** @module-tag long */
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startMock } from "@trainyard/mock";
import { faultsOf } from "@trainyard/release/contents";
import { readHome } from "@trainyard/release/home";
import { pack } from "@trainyard/release/pack";
import { strictOptions } from "@trainyard/release/program";
import { readContents, unpack } from "@trainyard/release/tarball";
import { published } from "@trainyard/release/workspace";
import { beforeAll, describe, expect, it } from "vitest";
import { startProxy } from "./proxy.ts";

// Without the registry, beside `vitest run --project packages`: the packed clients, in a program outside of the workspace.

const start = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const clients = ["core", "training", "inference", "auxiliary"].map(
  (name) => `@trainyard/${name}`,
);
const compilers = {
  "5.9": "packages/codegen/node_modules/typescript/bin/tsc",
  "7": "node_modules/typescript/bin/tsc",
};
const shell = process.platform === "win32";

describe.skipIf(spawnSync("pnpm", ["--version"], { shell }).status !== 0)(
  "the packed clients",
  () => {
    let program = "";

    /** Creates the folder in which the program finds a package. */
    function placeOf(name: string): string {
      const place = join(program, "node_modules", name);
      mkdirSync(dirname(place), { recursive: true });
      return place;
    }

    /** Links a registry package of the workspace into the program. */
    function link(from: string, name: string, as = name): void {
      symlinkSync(
        realpathSync(join(from, "node_modules", name)),
        placeOf(as),
        "junction",
      );
    }

    beforeAll(() => {
      program = mkdtempSync(join(tmpdir(), "trainyard-packed-"));
      for (const { name, tarball, manifest } of pack(
        join(program, "tarballs"),
        root,
        clients,
      )) {
        renameSync(unpack(tarball, join(program, "unpacked", name)), placeOf(name));
        for (const dependency of Object.keys(manifest.dependencies ?? {})) {
          if (!clients.includes(dependency))
            link(
              join(root, "packages", name.replace("@trainyard/", "")),
              dependency,
            );
        }
      }
      link(root, "@types/node");
      writeFileSync(join(program, "package.json"), '{ "type": "module" }');
      return () => rmSync(program, { recursive: true });
    });

    /** Compiles the program's `src`. The output has the errors. */
    async function compile(
      compiler: keyof typeof compilers,
      lib?: string[],
    ): Promise<void> {
      const compilerOptions = {
        ...strictOptions,
        module: "nodenext",
        ...(lib && { lib }),
      };
      writeFileSync(
        join(program, "tsconfig.json"),
        JSON.stringify({ compilerOptions, include: ["src"] }),
      );
      const command = [join(root, compilers[compiler]), "-p", program];
      const failed = await start(process.execPath, command).then(
        () => "",
        (error: { stdout: string }) => error.stdout,
      );
      expect(failed).toBe("");
    }

    /** Replaces the files in the program's `src`. */
    function write(files: Record<string, string>): void {
      rmSync(join(program, "src"), { recursive: true, force: true });
      mkdirSync(join(program, "src"));
      for (const [name, from] of Object.entries(files))
        cpSync(join(root, "packages/samples", from), join(program, "src", name));
    }

    it.each(clients)("%s follows the rules of a release", (name) => {
      const packages = new Map(
        published().map(({ manifest }) => [manifest.name, manifest]),
      );
      const contents = readContents(join(program, "node_modules", name));
      expect(
        faultsOf(contents, {
          license: "MIT",
          folders: [root],
          home: readHome(),
          packages,
        }),
      ).toEqual([]);
    });

    it("contain the sources that the stack of an error refers to", async () => {
      const script =
        'import("@trainyard/training").then((it) => it.createTrainingClient({}))';
      const failed = start(
        process.execPath,
        ["--enable-source-maps", "-e", script],
        {
          cwd: program,
          env: { PATH: process.env["PATH"] },
        },
      );
      await expect(failed).rejects.toMatchObject({
        stderr: expect.stringMatching(/@trainyard.core.src.[\w/\\-]+\.ts:\d+:\d+/),
      });
    });

    it.each(["5.9", "7"] as const)(
      "compile in a program for Node only, without the DOM library, with TypeScript %s",
      async (compiler) => {
        write({ "program.ts": "test/fixtures/without-dom.ts" });
        await compile(compiler, ["es2022"]);
      },
    );

    it("work with a pool and a proxy of each undici version", async () => {
      const versions = ["undici6", "undici7", "undici"];
      const names = ["connections", "proxy"];
      write({});
      for (const version of versions) {
        link(join(root, "packages/samples"), version);
        for (const name of names) {
          const text = readFileSync(
            join(root, `packages/samples/programs/${name}.ts`),
            "utf8",
          );
          writeFileSync(
            join(program, `src/${name}-${version}.ts`),
            text.replace('"undici"', `"${version}"`),
          );
        }
      }
      await compile("7", ["es2022"]);
      const mock = await startMock();
      const proxy = await startProxy();
      try {
        const env = {
          ...process.env,
          TRAINYARD_API_KEY: "a-key-for-the-mock",
          TRAINYARD_TRAINING_URL: mock.connect("training").baseUrl,
          TRAINYARD_PROXY: proxy.url,
        };
        const run = async (name: string): Promise<string> => {
          const imports = versions.map(
            (version) => `await import("./out/${name}-${version}.js");`,
          );
          const script = ["--input-type=module", "-e", imports.join("")];
          const { stdout } = await start(process.execPath, script, {
            env,
            cwd: program,
          });
          return stdout.replaceAll(/: \{.*/g, "");
        };
        expect(await run("connections")).toBe(
          "100 answers over 32 connections\n".repeat(3),
        );
        expect(proxy.requests()).toBe(0);
        expect(await run("proxy")).toBe("through the proxy\n".repeat(3));
        expect(proxy.requests()).toBe(3);
      } finally {
        proxy.close();
        await mock.close();
      }
    });
  },
);
