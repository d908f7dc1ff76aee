import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const folder = new URL("./", import.meta.url);
const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!test|test-d)\.ts$/.test(name));

describe("runtimes", () => {
  it.each(files)("%s imports nothing from Node, and no package but openapi-fetch", async (file) => {
    const text = await readFile(new URL(file, folder), "utf8");
    for (const [, name] of text.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^"]+)"/g))
      expect(name).toMatch(/^\.|^#runtime$|^openapi-fetch$/);
    expect(text).not.toMatch(/\b(Buffer|__dirname|require)\b/);
  });
});
