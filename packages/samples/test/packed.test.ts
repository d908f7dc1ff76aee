import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startMock } from "@trainyard/mock";
import { beforeAll, describe, expect, it } from "vitest";

// The short form of `pnpm test:packages`: the clients as they are packed, in a program outside of the workspace.

const start = promisify(execFile);
const packages = join(import.meta.dirname, "../..");
const shell = process.platform === "win32";

describe.skipIf(spawnSync("pnpm", ["--version"], { shell }).status !== 0)(
  "the clients as they are packed",
  () => {
    let program = "";

    /** Puts a package of the workspace where the program finds it. */
    function link(from: string, name: string): void {
      const to = join(program, "node_modules", name);
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(realpathSync(join(from, "node_modules", name)), to, "junction");
    }

    async function install(name: string): Promise<void> {
      const source = join(packages, name);
      const [tarballs, target] = [
        join(program, "tarballs", name),
        join(program, "node_modules/@trainyard", name),
      ];
      await start("pnpm", ["pack", "--pack-destination", tarballs], {
        cwd: source,
        shell,
      });
      mkdirSync(target, { recursive: true });
      const [tarball = ""] = globSync("*.tgz", { cwd: tarballs });
      await start("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"], {
        cwd: tarballs,
      });
      const { dependencies = {} }: { dependencies?: Record<string, string> } =
        JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
      for (const dependency of Object.keys(dependencies)) {
        if (!dependency.startsWith("@trainyard/")) link(source, dependency);
      }
    }

    beforeAll(async () => {
      program = mkdtempSync(join(tmpdir(), "trainyard-packed-"));
      for (const name of ["core", "training", "inference", "auxiliary"])
        await install(name);
      link(join(packages, ".."), "@types/node");
      return () => rmSync(program, { recursive: true });
    });

    it("compile, strictly and with all their declarations, and call each service", async () => {
      mkdirSync(join(program, "src"));
      cpSync(
        join(packages, "samples/programs/five-operations.ts"),
        join(program, "src/program.ts"),
      );
      writeFileSync(join(program, "package.json"), '{ "type": "module" }');
      const compilerOptions = {
        module: "nodenext",
        target: "es2023",
        lib: ["es2023", "dom", "dom.iterable"],
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        rootDir: "src",
        outDir: "out",
      };
      writeFileSync(
        join(program, "tsconfig.json"),
        JSON.stringify({ compilerOptions, include: ["src"] }),
      );
      const compiler = join(packages, "../node_modules/typescript/bin/tsc");
      await start(process.execPath, [compiler, "-p", program]);
      const mock = await startMock();
      try {
        const { stdout } = await start(
          process.execPath,
          [join(program, "out/program.js")],
          {
            env: {
              ...process.env,
              TRAINYARD_API_KEY: "a-key-for-the-mock",
              TRAINYARD_TRAINING_URL: mock.connect("training").baseUrl,
              TRAINYARD_INFERENCE_URL: mock.connect("inference").baseUrl,
              TRAINYARD_AUXILIARY_URL: mock.connect("auxiliary").baseUrl,
            },
          },
        );
        expect(stdout.match(/^\w+/gm)).toEqual(
          expect.arrayContaining(["model", "checkpoint", "answer", "logged"]),
        );
      } finally {
        await mock.close();
      }
    });
  },
);
