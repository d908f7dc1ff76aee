import { libraryRepository } from "@trainyard/testing/library";
import { afterAll, expect, it } from "vitest";
import { announce } from "./announcement.ts";

const { root, edit, remove } = libraryRepository();
afterAll(remove);

it("reports one comparison to the log, the comment, and the workflow", { tags: ["long"] }, async () => {
  const before = await announce(root, "main", "elsewhere");
  expect(before).toMatchObject({ refused: false, comment: expect.stringContaining("Nothing changed.") });
  edit("paths/hours-get.yaml", "x-resend: always", "x-resend: never");
  const announcement = await announce(root, "main", "elsewhere");
  expect(announcement.refused).toBe(true);
  expect(announcement.log).toMatch(/^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Breaking/m);
  expect(announcement.comment).toMatch(/^## Contract\n\nCompared with `main`/);
  expect(announcement.comment).toContain("**breaking**");
});

it("rejects invalid documents, with location and cure", { tags: ["long"] }, async () => {
  edit("paths/hours-get.yaml", "OpeningHours.yaml", "OpeningDays.yaml");
  const announcement = await announce(root, "main", "elsewhere");
  expect(announcement.refused).toBe(true);
  expect(announcement.log).toMatch(
    /^::error file=openapi\/atlas\/paths\/hours-get\.yaml,line=\d+,title=Broken document::The \$ref/m,
  );
  expect(announcement.comment).toMatch(
    /not compared\n\n.* The \$ref .* \(`openapi\/atlas\/paths\/hours-get\.yaml:\d+`\)/,
  );
  expect(announcement.comment).toContain("Create ");
});

it("rejects a branch that does not exist", async () => {
  const announcement = await announce(root, "origin/nowhere", "elsewhere");
  expect(announcement).toMatchObject({ refused: true, comment: expect.stringContaining("origin/nowhere") });
});
