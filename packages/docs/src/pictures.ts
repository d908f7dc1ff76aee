/**
 * `pnpm docs pictures`: takes the picture of the README and of the site's first page, in two themes. A model learns on the local
 * server, by the program of the guide, and Chromium draws the console's chart of it.
 */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { run } from "@trainyard/release/run";
import { launch, program } from "@trainyard/testing/browser";
import { useFonts } from "@trainyard/testing/pictures";
import { root } from "./places.ts";

const folder = join(root, "packages/docs/public/pictures");
/** In bytes. */
const most = 50_000;

if (program === undefined) throw new Error("There is no Chromium in /usr/bin. Name one in the variable CHROMIUM.");
run("turbo", ["run", "build", "--filter=@trainyard/server...", "--output-logs=errors-only"], { cwd: root });
// It imports what was built.
const { startServices } = await import("@trainyard/samples/start/services");
const services = await startServices({ port: 0 });
const browser = await launch();
try {
  const learning = ["--conditions=@trainyard/source", "packages/samples/programs/learning/yes-no-maybe.ts"];
  await promisify(execFile)(process.execPath, learning, { cwd: root, env: { ...process.env, ...services.variables } });
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 760 },
      deviceScaleFactor: 1.5,
      colorScheme,
      reducedMotion: "reduce",
    });
    await useFonts(page);
    await page.goto(services.server.consoleUrl() ?? "");
    await page.getByRole("link", { name: "maybe-1" }).first().click();
    await page.locator(".plot svg .line").first().waitFor();
    const box = await page.locator(".card:has(.plot)").first().boundingBox();
    if (box === null) throw new Error("The console shows no chart.");
    const session = await page.context().newCDPSession(page);
    const shoot = async (): Promise<string> => {
      const clip = { ...box, scale: 1 };
      return (await session.send("Page.captureScreenshot", { format: "webp", quality: 70, clip })).data;
    };
    // The page is drawn when two pictures in a row are the same.
    let [before, now] = ["", await shoot()];
    while (before !== now) [before, now] = [now, await shoot()];
    const picture = Buffer.from(now, "base64");
    writeFileSync(join(folder, `learning-${colorScheme}.webp`), picture);
    await page.close();
    const size = gzipSync(picture).byteLength;
    console.log(
      `${colorScheme}, ${box.width} × ${box.height}: ${(size / 1000).toFixed(0)} kB (gz), of ${most / 1000} kB`,
    );
    if (size > most) throw new Error("The picture is too large. Lower its quality.");
  }
} finally {
  await browser.close();
  await services.close();
}
