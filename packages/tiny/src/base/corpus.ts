/** Questions with their possible answers. */
export interface Exchange {
  readonly questions: readonly string[];
  readonly answers: readonly Answer[];
}

/** An answer, and how often it is given among the answers to its question. */
export interface Answer {
  readonly text: string;
  readonly weight: number;
}

/**
 * Reads a text of the corpus: lines `> question`, then lines `< answer`, or `< 3 answer` for an answer that is given
 * three times as often. Lines that start with `#` are comments.
 *
 * @throws Error that names the line
 */
export function parseCorpus(text: string, file: string): Exchange[] {
  const exchanges: { questions: string[]; answers: Answer[] }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, kind, rest] = /^([<>]) (.+)$/.exec(line) ?? [];
    const last = exchanges.at(-1);
    if (kind === ">" && rest !== undefined) {
      if (last === undefined || last.answers.length > 0) exchanges.push({ questions: [rest], answers: [] });
      else last.questions.push(rest);
    } else if (kind === "<" && rest !== undefined && last !== undefined) {
      const [, weight, weighted] = /^(\d+) (.+)$/.exec(rest) ?? [];
      last.answers.push({ text: weighted ?? rest, weight: Number(weight ?? 1) });
    } else {
      throw new Error(`${file}:${index + 1} must begin with "> " or "< ", and the first one with "> ".`);
    }
  }
  return exchanges;
}
