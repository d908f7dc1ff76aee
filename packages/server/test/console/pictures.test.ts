import { fileURLToPath } from "node:url";
import { comparePictures } from "@trainyard/testing/pictures";
import { describe, expect, it } from "vitest";
import type { OpenedPage } from "./browser.ts";
import { isAsked, openPage, pagesOf, settle, useShown } from "./shown.ts";

const folder = fileURLToPath(new URL("pictures", import.meta.url));
const shown = useShown();

describe.skipIf(!isAsked)("pictures of the console's pages and states, in two themes and two widths", () => {
  const isWriting = process.env["CONSOLE"] === "write";
  const paths = () => new Map(pagesOf(shown().ids).map(([name, path]) => [name.replaceAll(/[^a-z]+/g, "-"), path]));
  const show = async ({ page, home, rested }: OpenedPage, name: string) => {
    await page.goto(`${home}/console/${paths().get(name)}`);
    await settle(page);
    await rested();
  };

  it("match the recorded pictures", { timeout: 600_000 }, async () => {
    const opened = await openPage(shown().browser, shown().server.consoleUrl() ?? "");
    const differing = await comparePictures(opened.page, { folder, isWriting }, [...paths().keys()], (name) =>
      show(opened, name),
    );
    expect(
      differing,
      "if the changes are intended, replace the pictures with: CONSOLE=write pnpm exec vitest run --project console-pages",
    ).toEqual([]);
  });

  it("differ if a part of a page is missing", { timeout: 600_000 }, async () => {
    const opened = await openPage(shown().browser, shown().server.consoleUrl() ?? "");
    const parts = { overview: ".minis", group: ".roll", rollouts: ".peek" };
    const differing = await comparePictures(
      opened.page,
      { folder, isWriting: false },
      Object.keys(parts),
      async (name) => {
        await show(opened, name);
        await opened.page.evaluate((part) => document.querySelector(part)?.remove(), parts[name as keyof typeof parts]);
      },
    );
    expect(differing.map((line) => line.split(":")[0])).toEqual(Object.keys(parts));
  });
});
