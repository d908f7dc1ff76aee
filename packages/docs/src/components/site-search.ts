/** The search dialog: a combobox over the index of the site. */
import type { SearchRecord } from "../reference/records.ts";
import type { Answer, Found, SearchIndex } from "./search-index.ts";

// The site may be in any folder. This script is in `_astro/`, so it knows the path to the root.
const home = import.meta.url.replace(/_astro\/[^/]*$/, "");

async function loadIndex(): Promise<SearchIndex> {
  const [{ SearchIndex }, response] = await Promise.all([import("./search-index.ts"), fetch(`${home}search.json`)]);
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const records: SearchRecord[] = await response.json();
  return SearchIndex.of(records);
}

function part(parent: Element, name: string, className: string, text: string): HTMLElement {
  const element = parent.ownerDocument.createElement(name);
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

export class SiteSearch extends HTMLElement {
  #index: Promise<SearchIndex> | undefined;
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

  /** What the index has for a search term. */
  async find(term: string): Promise<Answer> {
    const index = await (this.#index ??= loadIndex());
    return index.find(term);
  }

  async #search(): Promise<void> {
    const term = this.#input.value.trim();
    const answer = term === "" ? { results: [], note: "" } : await this.find(term);
    if (term === this.#input.value.trim()) this.#show(answer, term);
  }

  #show({ results, note }: Pick<Answer, "results" | "note">, term: string): void {
    const list = this.#one("#found");
    list.replaceChildren(...results.map((result, position) => this.#option(result, position)));
    this.#input.setAttribute("aria-expanded", String(results.length > 0));
    this.#activate(results.length > 0 ? 0 : -1);
    const count = results.length === 1 ? "1 result" : `${results.length} results`;
    this.#say(term === "" ? "" : note || count);
  }

  #option({ url, title, kind, where, verb, excerpt }: Found, position: number): HTMLElement {
    const option = document.createElement("li");
    option.id = `found-${position}`;
    option.setAttribute("role", "option");
    const link = document.createElement("a");
    link.href = home + url.slice(1);
    link.tabIndex = -1;
    option.append(link);
    const head = part(link, "span", "head", "");
    if (verb !== undefined) part(head, "span", `verb ${verb.toLowerCase()}`, verb);
    part(head, "span", "title", title);
    part(head, "span", "where", [kind, where].filter((one) => one !== "" && one !== title).join(" · "));
    part(link, "span", "excerpt", excerpt);
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
