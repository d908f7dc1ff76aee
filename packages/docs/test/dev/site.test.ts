/** @module-tag long */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cache, root } from "../../src/places.ts";

it("`pnpm dev` serves the site, and its pages follow the references", { timeout: 180_000 }, async () => {
  const program = join(root, "packages/docs/src/dev/cli.ts");
  const { VITEST: _, ...env } = process.env;
  const dev = spawn(process.execPath, ["--conditions=@trainyard/source", program], { env });
  onTestFinished(() => void dev.kill("SIGKILL"));
  let printed = "";
  dev.stderr.on("data", (part) => (printed += part));
  for await (const part of dev.stdout.iterator({ destroyOnReturn: false })) {
    printed += part;
    if (printed.includes("Press Ctrl-C")) break;
  }
  const [, home] = /references +(\S+)/.exec(printed) ?? [];
  const page = async () => (await fetch(`${home}training/models.log/`)).text();
  expect(await page()).toContain("Logs trajectories for a split");

  const file = join(cache, "references.json");
  const text = readFileSync(file, "utf8");
  onTestFinished(() => writeFileSync(file, text));
  writeFileSync(file, text.replaceAll("Logs trajectories", "Keeps trajectories"));
  for (;;) if ((await page()).includes("Keeps trajectories for a split")) break;

  dev.kill("SIGINT");
  dev.stdout.on("data", (part) => (printed += part));
  expect(await once(dev, "close")).toEqual([0, null]);
  expect(printed).toMatch(/The mocks and the site have stopped\.\n$/);
});
