/** The second argument of `fetch`, including what `fetchOptions` adds. */
export interface FetchInit {
  method: string;
  headers: { [name: string]: string };
  body: string | null;
  redirect: "error" | "follow" | "manual";
  signal: AbortSignal;
}

/** The part of a response that the engine needs. Every `fetch` implementation returns it. */
export interface FetchedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: {
    get(name: string): string | null;
    has(name: string): boolean;
    forEach(act: (value: string, name: string) => void): void;
  };
  readonly body: object | null;
  text(): Promise<string>;
}

/** A function that sends a request: the global `fetch`, the one of the package `undici`, or any other of this signature. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;
