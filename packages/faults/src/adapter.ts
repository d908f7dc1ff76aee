import type { Kind } from "./calls.ts";

/** Where a call goes, and under which limits. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is told of each piece of a stream, as a program would show it. */
  readonly seen: () => void;
  /** What sends: the global `fetch`, but for the address that nobody listens at. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A client that the faults are played against: each kind of call, as its documentation writes it. */
export interface Adapter {
  readonly name: string;
  /** The package whose version the table names. */
  readonly package: string;
  /** Makes a call. Gives what it came to as the text that `values` has for a call that worked. */
  readonly calls: { readonly [K in Kind]: (target: Target) => Promise<string> };
}

interface EventPage {
  readonly data?: readonly { readonly id: string; readonly type: string }[];
}

/** Follows a job with a client that cannot: as its users would write it, without any care for failures. */
export async function followBy(list: (after: string | undefined) => Promise<EventPage | undefined>): Promise<string> {
  const ids: string[] = [];
  for (;;) {
    const page = await list(ids.at(-1));
    // What is no page is given as if it were one: the table says that the value is wrong.
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

/** Reads a list to its end with a client that cannot. */
export async function pagesBy(list: (after: string | undefined) => Promise<ItemPage | undefined>): Promise<string> {
  const ids: string[] = [];
  for (;;) {
    const page = await list(ids.at(-1));
    if (!page?.data) return `${ids.join(" ")} and no page`;
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) return ids.join(" ");
  }
}
