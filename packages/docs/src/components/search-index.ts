/** The search: an index over pages and parts of the references, and the order of what it finds. */
import MiniSearch, { type Query } from "minisearch";
import { stemmer } from "stemmer";
import type { SearchRecord, Section } from "../reference/records.ts";
import { synonyms } from "./synonyms.ts";

/** A result of the search. */
export interface Found extends Pick<SearchRecord, "url" | "title" | "kind" | "where" | "verb"> {
  /** A few plain words around the first term. */
  readonly excerpt: string;
}

export interface Answer {
  readonly results: readonly Found[];
  /** What was done with words that no page has; empty if there are none. */
  readonly note: string;
}

/** What people look for first, by kind. */
const weights: Readonly<Record<string, number>> = {
  guide: 6,
  concept: 6,
  contract: 5,
  operation: 3.5,
  error: 3.5,
  page: 2,
  schema: 1,
  field: 0.4,
  export: 0.2,
  decision: 0.15,
};
const order = Object.keys(weights);
const isLocal = ({ url }: SearchRecord): boolean => url.startsWith("/reference/local/");

const filler = new Set(
  "a an and are as at be but by can could did do does for from get has have how i if in into is it its me my not of on or our should several so that the their them there they this to want was we what when where which who why will with would you your".split(
    " ",
  ),
);

/** Words as they stand: `models.log`, `Idempotency-Key`, `--trainer`. */
const words = (text: string): string[] => text.match(/(?:--)?[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu) ?? [];

/** A function of a word that is calculated once for each: the same words stand on many pages. */
function once<T>(make: (word: string) => T): (word: string) => T {
  const made = new Map<string, T>();
  return (word) => {
    const known = made.get(word) ?? make(word);
    made.set(word, known);
    return known;
  };
}
const stem = once((word) => stemmer(word.toLowerCase()));

/** The parts of a word: `trainingJobs.createRl` has four. */
const partsOf = once((word) => words(word.replaceAll(/([a-z\d])([A-Z])|[-_.]+/g, "$1 $2").toLowerCase()));
const tokensOf = once((word) => [...new Set([word.toLowerCase(), ...partsOf(word)])]);
const tokenize = (text: string): string[] => words(text).flatMap(tokensOf);
const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_.-]+/g, "");

/** The words that mean the same as a word, with it; empty if none do. */
const groupOf = (word: string): readonly string[] =>
  synonyms.find((group) => group.some((one) => stem(one) === stem(word))) ?? [];

/** Whether two words differ by one letter: one more, one less, another, or two that changed places. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || `${a[1]}${a[0]}${a.slice(2)}` === b;
}

interface Numbered extends SearchRecord {
  readonly id: number;
}

export class SearchIndex {
  readonly #records: readonly Numbered[];
  readonly #index: MiniSearch<Numbered>;
  /** Each word with the number of its places. */
  readonly #words = new Map<string, number>();

  /** @param records what the build wrote */
  static async of(records: readonly SearchRecord[]): Promise<SearchIndex> {
    const made = new SearchIndex(records.map((record, id) => ({ ...record, id })));
    // In parts, so that the page still answers.
    await made.#index.addAllAsync(made.#records, { chunkSize: 100 });
    return made;
  }

  private constructor(records: readonly Numbered[]) {
    this.#records = records;
    const fields: Record<string, (record: Numbered) => string> = {
      title: ({ title }) => title,
      headings: ({ sections = [] }) => sections.map(({ heading }) => heading).join("\n"),
      names: ({ words: own }) => own.join("\n"),
      text: ({ text, sections = [] }) => [text, ...sections.map((section) => section.text)].join("\n"),
      code: ({ code = [] }) => code.join("\n"),
    };
    this.#index = new MiniSearch({
      fields: Object.keys(fields),
      extractField: (record, field) => fields[field]?.(record) ?? String(record.id),
      tokenize,
      processTerm: (term) => {
        this.#words.set(term, (this.#words.get(term) ?? 0) + 1);
        return [...new Set([term, stem(term)])];
      },
      searchOptions: {
        tokenize: (term) => [term],
        processTerm: (term) => term,
        boost: { title: 6, headings: 3, names: 2, code: 1.5 },
      },
    });
  }

  /** The results for a search term, best first. */
  find(term: string): Answer {
    const missing: string[] = [];
    const known = asked(term).flatMap((word) => {
      if (this.#has(word)) return [word];
      const parts = partsOf(word).filter((part) => this.#has(part));
      if (parts.length > 0) return parts;
      missing.push(word);
      return groupOf(word).find((one) => this.#has(one)) ?? this.#corrected(word) ?? [];
    });
    const named = this.#named(term.trim());
    if (known.length === 0 && named.length === 0) return { results: [], note: `No page has “${term.trim()}”.` };
    const results = [...new Set([...named, ...this.#ranked(known, term)])].slice(0, 12);
    const isAsAsked = missing.length === 0 || known.length === 0;
    const note = isAsAsked ? "" : `No page has “${missing.join("”, “")}”. Results for “${known.join(" ")}”.`;
    return { results: results.map((record) => foundIn(record, known)), note };
  }

  /** A word as it stands, or all of its parts, each also as the beginning of a word. */
  #own(word: string): Query[] {
    const parts = partsOf(word);
    const one = (part: string): Query => ({
      combineWith: "OR",
      queries: [{ queries: [part], prefix: part.length >= 3 }, { queries: [stem(part)] }],
    });
    return [
      { queries: [word.toLowerCase()], boostTerm: () => (parts.length > 1 ? 4 : 1) },
      { combineWith: "AND", queries: parts.map(one) },
    ];
  }

  #has(word: string): boolean {
    return this.#index.search({ combineWith: "OR", queries: this.#own(word) }).length > 0;
  }

  /** The most frequent word that differs by one letter. A rare word is less likely than one that nobody wrote here. */
  #corrected(word: string): string | undefined {
    if (word.length < 5) return undefined;
    const near = [...this.#words].filter(([other, count]) => count > 3 && isNear(word.toLowerCase(), other));
    return near.toSorted(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** The records with exactly this name, in the decided order. */
  #named(wanted: string): Numbered[] {
    const isNamed = (record: Numbered): boolean => {
      const { title, name, kind } = record;
      // People also search for `trainingJobs.createRl` as `createRl`.
      const all = [title, name, name?.split(".").at(-1)].filter((one) => one !== undefined);
      if (all.includes(wanted)) return /[_.A-Z]/.test(wanted) || !isLocal(record);
      // `modelName` is not `ModelName`, and `time zone` not the field `timezone`.
      if (kind === "export" || isLocal(record)) return false;
      const isSpaced = (text: string): boolean => kind === "field" && text.includes(" ");
      return all.some((one) => plain(one) === plain(wanted) && isSpaced(one) === isSpaced(wanted));
    };
    const rank = ({ title, name, kind }: Numbered): number =>
      order.indexOf(kind) + (title === wanted || name === wanted ? 0 : 20);
    return this.#records.filter(isNamed).toSorted((one, other) => rank(one) - rank(other));
  }

  /** The records with most of the words, by their weight; of a page, one section has to have them. */
  #ranked(known: readonly string[], term: string): Numbered[] {
    const isQuestion = /^(?:what|how|why|when|where|which|can|do|does|is|should)\b/i.test(term.trim());
    const queries = known.map((word): Query => {
      // What means the same counts less.
      const others = groupOf(word).filter((other) => stem(other) !== stem(word) && !other.includes(" "));
      const same: Query = { queries: others.map(stem), combineWith: "OR", boostTerm: () => 0.25 };
      return { combineWith: "OR", queries: [...this.#own(word), same] };
    });
    const holders = queries.map((query) => new Set(this.#index.search(query).map(({ id }) => id)));
    const ranked = this.#index.search({ combineWith: "OR", queries }).flatMap(({ id, score }) => {
      const record = this.#records[Number(id)];
      if (record === undefined) return [];
      const isText = record.sections !== undefined;
      const weight = (weights[record.kind] ?? 1) * (isLocal(record) ? 0.08 : 1) * (isQuestion && isText ? 3 : 1);
      const share = holders.filter((ids) => ids.has(id)).length / holders.length;
      const closeness = isText && known.length > 1 ? Math.max(0.4, bestSection(record, known).share) : 1;
      return { record, score: score * weight * share ** 3 * closeness ** 2 };
    });
    return ranked.toSorted((one, other) => other.score - one.score).map(({ record }) => record);
  }
}

/** The words of a term that say something. */
function asked(term: string): string[] {
  const phrases = synonyms.flatMap(([first = "", ...others]) =>
    others.filter((one) => one.includes(" ")).map((one) => [one, first] as const),
  );
  const all = words(phrases.reduce((text, [phrase, first]) => text.replaceAll(phrase, first), term));
  const telling = all.filter((word) => !filler.has(word.toLowerCase()));
  return telling.length > 0 ? telling : all;
}

/** The section of a page that has the largest share of the words; a heading counts more. */
function bestSection({ sections = [] }: SearchRecord, known: readonly string[]): { section?: Section; share: number } {
  const stems = known.flatMap(partsOf).map(stem);
  const shareOf = (text: string): number => {
    const own = new Set(tokenize(text).map(stem));
    return stems.filter((one) => own.has(one)).length / Math.max(1, stems.length);
  };
  const rated = sections.map((section) => {
    const share = shareOf(`${section.heading} ${section.text}`);
    return { section, share, rank: share + shareOf(section.heading) };
  });
  return rated.toSorted((one, other) => other.rank - one.rank)[0] ?? { share: 0 };
}

/** A record as a result: of a page, its best section. */
function foundIn(record: SearchRecord, known: readonly string[]): Found {
  const { url, title, kind, where, verb, text } = record;
  const { section, share } = bestSection(record, known);
  const shown = { title, kind, ...(verb !== undefined && { verb }) };
  if (section === undefined || share === 0) return { ...shown, url, where, excerpt: text };
  const stems = new Set(known.flatMap(partsOf).map(stem));
  const own = section.text || text;
  const at = [...own.matchAll(/[\p{L}\p{N}_]+/gu)].find(([word]) => stems.has(stem(word)))?.index ?? 0;
  const start = at < 80 ? 0 : own.lastIndexOf(" ", at - 60) + 1;
  const excerpt = `${start > 0 ? "… " : ""}${own.slice(start, start + 220)}`;
  return { ...shown, url: section.id === "" ? url : `${url}#${section.id}`, where: section.heading, excerpt };
}
