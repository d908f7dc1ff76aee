import { Failure } from "../failure.ts";
import { isObject } from "../json.ts";
import type { PullRequest } from "./pull-request.ts";

/** GitHub's API, as far as a comment needs it. */
export interface Api {
  /** Without a slash at the end: `https://api.github.com`. */
  readonly url: string;
  readonly token: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** What became of the comment. `refused`: the token may not write, as on a pull request that a bot opened. */
export type Outcome = "written" | "updated" | "unchanged" | "refused";

/** Begins the one comment that is ours, and shows nowhere. */
const mark = "<!-- trainyard: the verdict on the contract -->";

/** GitHub takes 65,536 characters. */
const longest = 60_000;

/**
 * Puts a text into the one comment of ours on a pull request: writes it, or brings it up to date.
 * @param run the address of the workflow's run, which has the whole of a text that is too long
 * @throws {@link Failure} where the API answers with an error
 */
export async function comment(api: Api, pullRequest: PullRequest, markdown: string, run: string): Promise<Outcome> {
  const comments = `${api.url}/repos/${pullRequest.repository}/issues`;
  const body = `${mark}\n${shorten(markdown, run)}`;
  const own = await findOwn(api, `${comments}/${pullRequest.number}/comments`);
  if (own?.body === body) return "unchanged";
  const written = own
    ? await call(api, "PATCH", `${comments}/comments/${own.id}`, { body })
    : await call(api, "POST", `${comments}/${pullRequest.number}/comments`, { body });
  if (written === undefined) return "refused";
  return own ? "updated" : "written";
}

interface Comment {
  readonly id: number;
  readonly body: string;
}

/** Anybody may write the mark, but only a workflow writes as the bot. */
async function findOwn(api: Api, comments: string): Promise<Comment | undefined> {
  for (let page = 1; ; page++) {
    const found = await call(api, "GET", `${comments}?per_page=100&page=${page}`);
    const all: unknown[] = Array.isArray(found) ? found : [];
    for (const each of all) {
      if (!isObject(each) || !isObject(each["user"])) continue;
      const { id, body } = each;
      const isOwn =
        each["user"]["login"] === "github-actions[bot]" && typeof body === "string" && body.startsWith(mark);
      if (isOwn && typeof id === "number") return { id, body };
    }
    if (all.length < 100) return undefined;
  }
}

/** Undefined where the token may not do it. */
async function call(api: Api, method: string, url: string, body?: object): Promise<unknown> {
  const response = await api.fetch(url, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${api.token}`,
      "x-github-api-version": "2022-11-28",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  if (response.status === 403) return undefined;
  throw new Failure(`GitHub answered ${response.status} to ${method} ${new URL(url).pathname}: ${text.slice(0, 200)}`);
}

function shorten(markdown: string, run: string): string {
  if (markdown.length <= longest) return markdown;
  const kept = markdown.slice(0, markdown.lastIndexOf("\n", longest));
  const open = kept.split("<details>").length - kept.split("</details>").length;
  const rest = `The rest stands in the [summary of the run](${run}).`;
  return `${kept}\n${"\n</details>\n".repeat(Math.max(0, open))}\n${rest}\n`;
}
