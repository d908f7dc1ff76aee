import { join } from "node:path";
import { program } from "@trainyard/testing/browser";
import { comparePictures } from "@trainyard/testing/pictures";
import { describe, expect, it } from "vitest";
import { ensureSite, open, patience, useSite } from "./browser.ts";

await ensureSite();

/** Set by `pnpm exec vitest run --project site`. `SITE=write pnpm exec vitest run --project site` replaces the pictures that changed. */
const amount = process.env["SITE"];
const folder = join(import.meta.dirname, "pictures");

/** One page of each kind, and each kind of drawing. */
const pages: Readonly<Record<string, string>> = {
  home: "/",
  "getting-started": "/guides/getting-started/",
  chat: "/guides/chat/",
  console: "/guides/console/",
  training: "/concepts/training/",
  jobs: "/concepts/jobs/",
  basis: "/contract/basis/",
  decision: "/decisions/10-tiny-model/",
  packages: "/packages/",
  service: "/reference/training/",
  operation: "/reference/training/models.log/",
  schema: "/reference/training/schemas/ExperimentalTrainingConfig/",
};

describe.skipIf(amount === undefined || program === undefined)("pictures of the site, in two themes and widths", () => {
  const site = useSite();

  it("are unchanged", { timeout: 5 * patience }, async () => {
    const names = Object.keys(pages);
    const differing = await comparePictures(site.page, { folder, isWriting: amount === "write" }, names, (name) =>
      open(site.page, `${site.home}${pages[name]}`),
    );
    expect(
      differing,
      "if the changes are intended, replace the pictures with: SITE=write pnpm exec vitest run --project site",
    ).toEqual([]);
    expect(names).toHaveLength(12);
  });
});
