import { fileURLToPath } from "node:url";
import { buildConsole } from "@trainyard/console/build";
import { launch, program, type Browser } from "@trainyard/testing/browser";
import { comparePictures } from "@trainyard/testing/pictures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestServer } from "../lib.ts";
import { openPage, type OpenedPage } from "./browser.ts";
import { makeShown, pagesOf, settle, type ShownIds } from "./shown.ts";

/** By `pnpm test console` alone: a browser takes more than `pnpm test` may. */
const isAsked = process.env["CONSOLE"] !== undefined && program !== undefined;
const folder = fileURLToPath(new URL("pictures", import.meta.url));

let browser: Browser;
let server: TestServer;
let ids: ShownIds;

beforeAll(async () => {
  if (!isAsked) return;
  await buildConsole(fileURLToPath(new URL("../../dist/pages", import.meta.url)));
  ({ server, ids } = await makeShown());
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

describe.skipIf(!isAsked)("pictures of the console's pages and states, in two themes and two widths", () => {
  const isWriting = process.env["CONSOLE"] === "write";
  const paths = () => new Map(pagesOf(ids).map(([name, path]) => [name.replaceAll(/[^a-z]+/g, "-"), path]));
  const shown = async ({ page, home, rested }: OpenedPage, name: string) => {
    await page.goto(`${home}/console/${paths().get(name)}`);
    await settle(page);
    await rested();
  };

  it("are as they were", async () => {
    const opened = await openPage(browser, server.consoleUrl() ?? "");
    const differing = await comparePictures(opened.page, { folder, isWriting }, [...paths().keys()], (name) =>
      shown(opened, name),
    );
    expect(differing, "take them anew with CONSOLE=write").toEqual([]);
    await opened.page.context().close();
  });

  it("differ where a part of a page is gone", async () => {
    const opened = await openPage(browser, server.consoleUrl() ?? "");
    const parts = { overview: ".minis", group: ".roll", rollouts: ".peek" };
    const differing = await comparePictures(
      opened.page,
      { folder, isWriting: false },
      Object.keys(parts),
      async (name) => {
        await shown(opened, name);
        await opened.page.evaluate((part) => document.querySelector(part)?.remove(), parts[name as keyof typeof parts]);
      },
    );
    expect(differing.map((line) => line.split(":")[0])).toEqual(Object.keys(parts));
    await opened.page.context().close();
  });
});
