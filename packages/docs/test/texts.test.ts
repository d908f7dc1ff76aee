import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dist } from "../src/places.ts";
import { lookups } from "./answers.ts";
import { ensureSite } from "./browser.ts";
import { questions } from "./newcomer.ts";

await ensureSite();
const read = (twin: string) => readFileSync(join(dist, twin), "utf8");
const plain = (text: string) =>
  text
    .replaceAll(/[`*_\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();

it.each(questions)("a newcomer asks “%s”, and %s answers", (_question, page, answer) => {
  expect(plain(read(`${page}.md`))).toContain(plain(answer));
});

it("each of these pages is in the list of pages", () => {
  const html = read("guides/getting-started/index.html");
  const missing = questions.filter(([, page]) => !html.includes(`${page.split("/").at(-1)}/"`)).map(([, page]) => page);
  expect(missing).toEqual([]);
});

/** The words of a question or a line that describe its subject. */
function stems(text: string): Set<string> {
  const common = /^(the|and|are|there|what|which|with|from|over|your|for|this|each|that|how|why|one)$/;
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  return new Set(
    words.filter((word) => !common.test(word)).map((word) => word.replace(/(ies|es|s|ing|ed)$/, "").slice(0, 8)),
  );
}

/**
 * The page that a simple program chooses by the text of llms.txt: the line that has most words in common with the question.
 */
function choose(list: string, question: string): string {
  const asked = stems(question);
  const lines = [...list.matchAll(/^ *- \[([^\]]+)\]\(([^)]+\.md)\)(.*)$/gm)];
  const rated = lines.map(([, title = "", target = "", text = ""]) => {
    const [inTitle, inText] = [stems(title.replaceAll(/([a-z])([A-Z])/g, "$1 $2")), stems(`${text} ${target}`)];
    const hits = [...asked].map((word) => (inTitle.has(word) ? 1.2 : 0) + (inText.has(word) ? 1 : 0));
    // Of two lines with the same words in common, the shorter one wins.
    return { target, score: hits.reduce((sum, hit) => sum + hit, 0) - 0.02 * (inTitle.size + inText.size) };
  });
  return rated.toSorted((a, b) => b.score - a.score)[0]?.target ?? "";
}

it("a program that knows only llms.txt finds the right page for at least 20 of 22 questions", () => {
  const list = read("llms.txt");
  const found = lookups.map(([question, twin, answer]) => {
    const target = choose(list, question);
    return { question, target, right: twin.test(target) && answer.test(read(target)) };
  });
  const wrong = found.filter(({ right }) => !right);
  expect(wrong.slice(lookups.length - 20)).toEqual([]);
});
