import type { Kind } from "./calls.ts";

/** The target of a call, and its limits. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called with each piece of a stream. */
  readonly seen: () => void;
  /** The function that sends: the global `fetch`, except for the closed address. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A client under test: each kind of call, as the client's documentation shows it. */
export interface Adapter {
  readonly name: string;
  /** The package whose version the table shows. */
  readonly package: string;
  /** Makes a call. Returns its result as the text that `values` has for a successful call. */
  readonly calls: { readonly [K in Kind]: (target: Target) => Promise<string> };
}

interface EventPage {
  readonly data?: readonly { readonly id: string; readonly type: string }[];
}

/** Follows a job with a client that has no method for it: as its users would write it, without handling failures. */
export async function followBy(list: (after: string | undefined) => Promise<EventPage | undefined>): Promise<string> {
  const ids: string[] = [];
  for (;;) {
    const page = await list(ids.at(-1));
    // A body that is not a page is returned as if it were one: the table then shows a wrong value.
    if (!page?.data) return `${ids.join(" ")} and no page`;
    for (const { id, type } of page.data) {
      ids.push(id);
      if (type === "training_ended") return ids.join(" ");
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

interface ItemPage {
  readonly data?: readonly { readonly id: string }[];
  readonly has_more?: boolean;
}

/** Reads a list to its end with a client that has no method for it. */
export async function pagesBy(list: (after: string | undefined) => Promise<ItemPage | undefined>): Promise<string> {
  const ids: string[] = [];
  for (;;) {
    const page = await list(ids.at(-1));
    if (!page?.data) return `${ids.join(" ")} and no page`;
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) return ids.join(" ");
  }
}
