import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceComparison } from "@trainyard/contract";
import { type Changeset, printChangeset } from "../versions/changeset.ts";
import { hasBlock, putBlock, withoutBlock } from "./marks.ts";
import { changeList } from "./change-list.ts";

/**
 * Combines the waiting changesets of a contract: each branch describes its own changes, and some revert those of
 * others. The first changeset with a part describes all changes since the last release, and the parts of the others are
 * removed.
 */
export function describeWhole(
  root: string,
  services: readonly ServiceComparison[],
  changesets: readonly Changeset[],
): void {
  const texts = new Map(changesets.map((changeset) => [changeset, changeset.text]));
  for (const comparison of services) {
    const { service, version } = comparison;
    const [first, ...rest] = changesets.filter(({ text }) => hasBlock(text, service));
    // Nothing more is released of a removed service.
    const changes = comparison.whole === "removed" ? "" : changeList(comparison);
    const whole = `The contract of ${service} is ${version?.revision ?? ""} (${version?.released ?? ""} before).\n\n${changes}`;
    if (first === undefined) continue;
    const text = texts.get(first) ?? "";
    texts.set(first, changes === "" ? withoutBlock(text, service) : putBlock(text, service, whole));
    for (const other of rest) texts.set(other, withoutBlock(texts.get(other) ?? "", service));
  }
  for (const [changeset, text] of texts) {
    if (text !== changeset.text) writeFileSync(join(root, changeset.file), printChangeset({ ...changeset, text }));
  }
}
