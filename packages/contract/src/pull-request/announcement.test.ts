import { libraryRepository } from "@trainyard/testing/library";
import { afterAll, expect, it } from "vitest";
import { announce, shorten } from "./announcement.ts";

const { root, edit, remove } = libraryRepository();
afterAll(remove);

it("reports one comparison to the log, the comment, and the workflow", { tags: ["long"] }, async () => {
  const before = await announce(root, "main");
  expect(before).toMatchObject({ refused: false, markdown: expect.stringContaining("Nothing changed.") });
  edit("paths/hours-get.yaml", "x-resend: always", "x-resend: never");
  const announcement = await announce(root, "main");
  expect(announcement.refused).toBe(true);
  expect(announcement.log).toMatch(/^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Breaking/m);
  expect(announcement.markdown).toMatch(/^## Contract\n\nCompared with `main`/);
  expect(announcement.markdown).toContain("**breaking**");
});

it("rejects invalid documents, with location and cure", { tags: ["long"] }, async () => {
  edit("paths/hours-get.yaml", "OpeningHours.yaml", "OpeningDays.yaml");
  const announcement = await announce(root, "main");
  expect(announcement.refused).toBe(true);
  expect(announcement.log).toMatch(
    /^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Broken document::The \$ref/m,
  );
  expect(announcement.markdown).toMatch(
    /not compared\n\n.* The \$ref .* \(`openapi\/atlas\/paths\/hours-get\.yaml:\d+`\)/,
  );
  expect(announcement.markdown).toContain("Create ");
});

it("rejects a branch that does not exist", async () => {
  const announcement = await announce(root, "origin/nowhere");
  expect(announcement).toMatchObject({ refused: true, markdown: expect.stringContaining("origin/nowhere") });
});

it("shortens a long report between two lines, with a link to the rest", () => {
  const run = "https://git.example/harbor/trains/actions/runs/1";
  const short = shorten(`<details>\n${"| a change | of the contract |\n".repeat(5000)}</details>`, run);
  expect(short.length).toBeLessThan(65_536);
  expect(short).toMatch(/\| of the contract \|\n\n<\/details>\n\nThe rest is in the \[summary of the run\]/);
  expect(short).toContain(run);
  expect(shorten("Additive.", run)).toBe("Additive.");
});
