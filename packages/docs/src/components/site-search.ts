/** The search dialog: a combobox over the index that Pagefind wrote. */

interface Found {
  readonly url: string;
  readonly excerpt: string;
  readonly meta: Readonly<Record<string, string | undefined>>;
  readonly sub_results: readonly { readonly title: string; readonly url: string; readonly excerpt: string }[];
}

interface Pagefind {
  options(options: { baseUrl: string; excerptLength: number; ranking: Record<string, number> }): Promise<void>;
  init(): Promise<void>;
  debouncedSearch(
    term: string,
    options: object,
    wait: number,
  ): Promise<{ results: { score: number; data(): Promise<Found> }[] } | null>;
}

// The site may be in any folder. This script is in `_astro/`, so it knows the path to the root.
const home = import.meta.url.replace(/_astro\/[^/]*$/, "");

async function loadIndex(): Promise<Pagefind> {
  const pagefind: Pagefind = await import(/* @vite-ignore */ `${home}pagefind/pagefind.js`);
  await pagefind.options({
    baseUrl: new URL(home).pathname,
    excerptLength: 18,
    ranking: { termFrequency: 0.6, pageLength: 0.4 },
  });
  await pagefind.init();
  return pagefind;
}

function part(parent: Element, name: string, className: string, text: string): HTMLElement {
  const element = parent.ownerDocument.createElement(name);
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

/** The marks in an excerpt are Pagefind's own elements; everything else in it is text. */
function excerpt(parent: Element, html: string): void {
  const line = part(parent, "span", "excerpt", "");
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  for (const node of parsed.childNodes) {
    const text = node.textContent ?? "";
    if (node.nodeName === "MARK") part(line, "mark", "", text);
    else line.append(text);
  }
}

/**
 * People look for an operation more often than for the schemas of its bodies, and for a guide more often than for a
 * decision.
 */
const weights: Readonly<Record<string, number>> = { operation: 3, error: 3, export: 2, schema: 1.2, field: 1 };

/** How many results get a new rank. */
const considered = 60;

/** The factor by which a result's score is multiplied. A result whose name equals the search term comes first. */
function weight({ meta, url }: Found, term: string): number {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_.]+/g, "");
  // People also search for `trainingJobs.createRl` as `createRl`.
  const names = [meta["title"], meta["name"], meta["name"]?.split(".").at(-1)];
  const isNamed = names.some((name) => name !== undefined && plain(name) === plain(term));
  const own = meta["kind"] === undefined ? (url.includes("/decisions/") ? 0.5 : 2) : (weights[meta["kind"]] ?? 1);
  // The services come before the control interface of the local server, which uses the same words.
  const share = url.includes("/reference/local/") ? 0.5 : 1;
  // `modelName` is not `ModelName`.
  const isSame = names.includes(term);
  // The index matches stems: `retries` also finds "retrieve". A title that has the words themselves comes before one that does not.
  const title = ` ${(meta["title"] ?? "").toLowerCase().replaceAll(/[^\w]+/g, " ")} `;
  const words = term.toLowerCase().split(/[^\w]+/);
  const hasWords = words.every((word) => title.includes(` ${word} `));
  return share * own * (isSame ? 30 : isNamed ? 20 : hasWords ? 4 : 1);
}

export class SiteSearch extends HTMLElement {
  #index: Promise<Pagefind> | undefined;
  #turn = 0;
  #active = -1;

  get #dialog(): HTMLDialogElement {
    return this.#of("dialog", HTMLDialogElement);
  }
  get #input(): HTMLInputElement {
    return this.#of("input", HTMLInputElement);
  }
  get #options(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("[role=option]")];
  }

  #one(selector: string): Element {
    const element = this.querySelector(selector);
    if (element === null) throw new Error(`The search has no ${selector}.`);
    return element;
  }

  #of<E extends Element>(selector: string, kind: new () => E): E {
    const element = this.#one(selector);
    if (!(element instanceof kind)) throw new Error(`${selector} of the search is not the expected element.`);
    return element;
  }

  connectedCallback(): void {
    this.#one(".open").addEventListener("click", () => this.open());
    this.#one(".close").addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#input.addEventListener("input", () => void this.#search());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    addEventListener(
      "keydown",
      (event) => {
        // After the dialog was closed, its field keeps the focus for a moment.
        const own = event.target === this.#input && !this.#dialog.open;
        const typing =
          !own &&
          event.target instanceof HTMLElement &&
          event.target.matches("input, textarea, select, [contenteditable]");
        const isShortcut =
          ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") || (event.key === "/" && !typing);
        if (!isShortcut) return;
        event.preventDefault();
        this.open();
      },
      { capture: true },
    );
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.select();
    this.#index ??= loadIndex();
    this.#index.catch(() => this.#say("The search could not be loaded."));
  }

  #say(text: string): void {
    this.#one(".status").textContent = text;
  }

  /** The results for a search term, best first; undefined if another search started meanwhile. */
  async find(term: string, wait = 0): Promise<Found[] | undefined> {
    const index = await (this.#index ??= loadIndex());
    const found = await index.debouncedSearch(term, {}, wait);
    if (found === null) return undefined;
    const best = found.results.slice(0, considered);
    const all = await Promise.all(best.map(async (result) => ({ score: result.score, data: await result.data() })));
    const ranked = all.toSorted((a, b) => b.score * weight(b.data, term) - a.score * weight(a.data, term));
    return ranked.slice(0, 12).map(({ data }) => data);
  }

  async #search(): Promise<void> {
    const turn = ++this.#turn;
    const term = this.#input.value.trim();
    if (term === "") return this.#show([], "");
    const results = await this.find(term, 120);
    if (results !== undefined && turn === this.#turn) this.#show(results, term);
  }

  #show(results: readonly Found[], term: string): void {
    const list = this.#one("#found");
    list.replaceChildren(...results.map((result, position) => this.#option(result, position)));
    this.#input.setAttribute("aria-expanded", String(results.length > 0));
    this.#activate(results.length > 0 ? 0 : -1);
    const count = results.length === 1 ? "1 result" : `${results.length} results`;
    this.#say(term === "" ? "" : results.length === 0 ? `Nothing found for “${term}”.` : count);
  }

  #option({ url, meta, excerpt: text, sub_results: parts }: Found, position: number): HTMLElement {
    const option = document.createElement("li");
    option.id = `found-${position}`;
    option.setAttribute("role", "option");
    const best = meta["kind"] === undefined ? parts.find((sub) => sub.excerpt === text) : undefined;
    const link = document.createElement("a");
    link.href = best?.url ?? url;
    link.tabIndex = -1;
    option.append(link);
    const head = part(link, "span", "head", "");
    if (meta["verb"] !== undefined) part(head, "span", `verb ${meta["verb"].toLowerCase()}`, meta["verb"]);
    part(head, "span", "title", meta["title"] ?? url);
    if (meta["kind"] !== undefined) part(head, "span", "where", `${meta["kind"]} · ${meta["where"] ?? ""}`);
    else if (best !== undefined && best.title !== meta["title"]) part(head, "span", "where", best.title);
    if (meta["text"] === undefined) excerpt(link, best?.excerpt ?? text);
    else part(link, "span", "excerpt", meta["text"]);
    link.addEventListener("click", () => this.#dialog.close());
    option.addEventListener("pointermove", () => this.#activate(position));
    return option;
  }

  #activate(position: number): void {
    this.#active = position;
    for (const [index, option] of this.#options.entries()) {
      option.setAttribute("aria-selected", String(index === position));
      if (index === position) option.scrollIntoView({ block: "nearest" });
    }
    if (position < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `found-${position}`);
  }

  #key(event: KeyboardEvent): void {
    // By default, Escape in a search field only clears it.
    if (event.key === "Escape") {
      this.#dialog.close();
      return event.preventDefault();
    }
    const count = this.#options.length;
    if (count === 0) return;
    if (event.key === "ArrowDown") this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp") this.#activate((this.#active - 1 + count) % count);
    else if (event.key === "Enter") this.#options[this.#active]?.querySelector("a")?.click();
    else return;
    event.preventDefault();
  }
}
