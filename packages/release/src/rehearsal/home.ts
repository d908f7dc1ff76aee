import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";

/** The repository of this checkout, such as `https://host/owner/name`; undefined if it has no remote address. */
export function findHome(): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  if (server && repository) return `${server}/${repository}`;
  try {
    return homeOf(run("git", ["remote", "get-url", "origin"], { cwd: root }));
  } catch {
    return undefined;
  }
}

/**
 * Converts `git@host:owner/name.git` and similar addresses to `https://host/owner/name`; undefined for a local folder.
 */
export function homeOf(remote: string): string | undefined {
  const form = /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?[:/](\S+?)(?:\.git)?\/?$/;
  const match = form.exec(remote.trim());
  return match === null ? undefined : `https://${match[1]}/${match[2]}`;
}
