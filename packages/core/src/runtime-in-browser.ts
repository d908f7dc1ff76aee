// The form of `runtime.ts` that bundlers choose for browsers.
import { codeNote } from "./errors/code-of.ts";
import { ConnectionError } from "./errors/failures.ts";
import type * as runtime from "./runtime.ts";

/** Left out: the size says enough to whoever looks at a page. */
export const malformed: typeof runtime.malformed = () => "";

/** A bundle for browsers that runs elsewhere follows no redirect. */
export const follow: typeof runtime.follow = async (fetch, url, init, facts) => {
  try {
    return (await fetch(url, { ...init, headers: Object.fromEntries(init.headers) })) as Response;
  } catch (cause) {
    throw new ConnectionError(`no response from ${new URL(url).origin}${codeNote(cause)}`, facts, { cause });
  }
};
