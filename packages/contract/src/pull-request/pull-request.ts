import { Failure } from "../failure.ts";
import { isObject } from "../json.ts";

/** The pull request that a workflow on GitHub runs for. */
export interface PullRequest {
  /** As `owner/name`. */
  readonly repository: string;
  readonly number: number;
  /** Whether it comes from another repository: its workflow may write nothing. */
  readonly fork: boolean;
}

/** Reads the event of a workflow: the text of the file at `GITHUB_EVENT_PATH`. */
export function readPullRequest(event: string): PullRequest {
  const value: unknown = JSON.parse(event);
  const repository = at(value, "repository", "full_name");
  const number = at(value, "pull_request", "number");
  const head = at(value, "pull_request", "head", "repo", "full_name");
  if (typeof repository !== "string" || typeof number !== "number")
    throw new Failure("This is no event of a pull request: run it in a workflow `on: pull_request`.");
  // The repository of a fork may be gone, and is null then.
  return { repository, number, fork: head !== repository };
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}
