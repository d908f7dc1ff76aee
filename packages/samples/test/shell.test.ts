/** @module-tag long */
import { execFile } from "node:child_process";
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startMock } from "@trainyard/mock";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const cli = join(root, "../server/src/cli.ts");

it
  .skipIf(process.platform === "win32")
  .each(globSync("shell/*.sh", { cwd: root }).toSorted())(
  "%s runs",
  async (sample) => {
    await using mock = await startMock({ port: 0 });
    const folder = mkdtempSync(join(tmpdir(), "trainyard-shell-"));
    try {
      const command = join(folder, "trainyard");
      const node = `"${process.execPath}" --conditions=@trainyard/source --disable-warning=ExperimentalWarning`;
      writeFileSync(command, `#!/bin/sh\nexec ${node} "${cli}" "$@"\n`);
      chmodSync(command, 0o755);
      const { stdout } = await promisify(execFile)(
        "sh",
        ["-e", join(root, sample)],
        {
          env: {
            ...process.env,
            PATH: `${folder}${delimiter}${process.env["PATH"]}`,
            TRAINYARD_API_KEY: "a-key-for-the-mock",
            TRAINYARD_TRAINING_URL: mock.connect("training").baseUrl,
            TRAINYARD_INFERENCE_URL: mock.connect("inference").baseUrl,
            TRAINYARD_AUXILIARY_URL: mock.connect("auxiliary").baseUrl,
          },
        },
      );
      expect(stdout.trim()).not.toBe("");
      expect(stdout).not.toContain("a-key-for-the-mock");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
