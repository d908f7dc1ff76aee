import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const guides = join(import.meta.dirname, "../src/content/docs/guides");
const flows = join(import.meta.dirname, "../../../openapi/flows");
const read = (folder: string, ending: string) =>
  globSync(`*.${ending}`, { cwd: folder })
    .toSorted()
    .map((file) => ({ name: basename(file, `.${ending}`), text: readFileSync(join(folder, file), "utf8") }));
const titleIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1];

it("each guide that calls the services has a flow with its name and title", () => {
  // Samples call them, except the programs that a service starts, and so do two commands.
  const calls = /<Sample file="(?!trainers\/)|^npx -y pnpm@12 trainyard (?:call|verify) /m;
  const calling = read(guides, "mdx").filter(({ text }) => calls.test(text));
  expect(calling.length).toBeGreaterThan(10);
  expect(read(flows, "yaml").map(({ name, text }) => [name, titleIn(text, /^ {2}title: (.*)$/m)])).toEqual(
    calling.map(({ name, text }) => [name, titleIn(text, /^title: (.*)$/m)]),
  );
});
