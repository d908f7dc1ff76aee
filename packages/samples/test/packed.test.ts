import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
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
import { pack, strictOptions } from "@trainyard/release/pack";
import { unpack } from "@trainyard/release/tarball";
import { beforeAll, describe, expect, it } from "vitest";

// The short form of `pnpm test:packages`: the clients as they are packed, in a program outside of the workspace.

const start = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const clients = ["core", "training", "inference", "auxiliary"].map(
  (name) => `@trainyard/${name}`,
);
const shell = process.platform === "win32";

describe.skipIf(spawnSync("pnpm", ["--version"], { shell }).status !== 0)(
  "the clients as they are packed",
  () => {
    let program = "";

    /** Makes room for a package where the program finds it. */
    function placeOf(name: string): string {
      const place = join(program, "node_modules", name);
      mkdirSync(dirname(place), { recursive: true });
      return place;
    }

    /** Gives the program a package that the workspace has from a registry. */
    function link(from: string, name: string): void {
      symlinkSync(
        realpathSync(join(from, "node_modules", name)),
        placeOf(name),
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
      return () => rmSync(program, { recursive: true });
    });

    it("compile, strictly and with all their declarations, and call each service", async () => {
      mkdirSync(join(program, "src"));
      cpSync(
        join(root, "packages/samples/programs/five-operations.ts"),
        join(program, "src/program.ts"),
      );
      writeFileSync(join(program, "package.json"), '{ "type": "module" }');
      const compilerOptions = { ...strictOptions, module: "nodenext" };
      writeFileSync(
        join(program, "tsconfig.json"),
        JSON.stringify({ compilerOptions, include: ["src"] }),
      );
      await start(process.execPath, [
        join(root, "node_modules/typescript/bin/tsc"),
        "-p",
        program,
      ]);
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
