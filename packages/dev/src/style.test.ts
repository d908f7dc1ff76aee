import { expect, it } from "vitest";
import { readAnnotations } from "./style.ts";

it("reads each fault with its place once, and unescapes it", () => {
  const line =
    "::error title=trainyard/basis,file=openapi/a/paths/x.yaml,line=3,col=7,endLine=3,endColumn=9::It is 100%25 wrong.%0AMend it.";
  expect(readAnnotations(`Woe.\n${line}\n${line}\n::notice::Nothing.\n`)).toEqual([
    {
      file: "openapi/a/paths/x.yaml",
      line: 3,
      column: 7,
      message: "It is 100% wrong.\nMend it.",
      cure: "This is the rule trainyard/basis of redocly.yaml.",
    },
  ]);
});
