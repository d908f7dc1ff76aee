import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "./change.ts";
import { Failure } from "./failure.ts";

/** A change that a reviewer accepted, and why, as written in a changeset. */
export interface Acceptance {
  /** The changeset, relative to the root. */
  readonly file: string;
  /** The location of the change as in reports: `Model.name`, or `training Model.name` for one service only. */
  readonly location: string;
  readonly reason: string;
}

const form = /^Accepted: `([^`]+)`: (\S+ \S.*)$/;

/**
 * All acceptances in pending changesets. Each is a line of its own,
 * "Accepted: `Model.name`: The service never sent it without a name."
 *
 * @throws {@link Failure} if a line has no location or no reason.
 */
export function readAcceptances(root: string): Acceptance[] {
  const folder = join(root, ".changeset");
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md")
    : [];
  return names.toSorted().flatMap((name) => {
    const file = `.changeset/${name}`;
    const lines = readFileSync(join(root, file), "utf8")
      .split(/\r?\n/)
      .filter((line) => line.startsWith("Accepted:"));
    return lines.map((line): Acceptance => {
      const [, location, reason] = form.exec(line.trimEnd()) ?? [];
      if (location !== undefined && reason !== undefined) return { file, location, reason };
      throw new Failure(
        `${file}: "${line}" has no location or no reason. Write: Accepted: \`Model.name\`: Why it breaks nobody.`,
      );
    });
  });
}

/** Whether an acceptance applies to this location of a service. */
export function speaksOf({ location }: Acceptance, service: string, where: string): boolean {
  return location === where || location === `${service} ${where}`;
}

/** The changes, each with its acceptance if there is one. */
export function accept<One extends Change>(changes: readonly One[], acceptances: readonly Acceptance[]): One[] {
  return changes.map((change) => {
    const accepted = acceptances.find((one) => speaksOf(one, change.service, change.place));
    return accepted === undefined || change.verdict === "neutral" ? change : { ...change, accepted };
  });
}
