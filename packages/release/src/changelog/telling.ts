import type { ServiceComparison, ToldChange } from "@trainyard/contract";

/** The changes that callers notice, in Markdown, by what they mean to them. Empty where there are none. */
export function tellChanges({ changes }: Pick<ServiceComparison, "changes">): string {
  const isDeprecated = ({ kind }: ToldChange): boolean => kind === "deprecated";
  const groups: readonly (readonly [heading: string, changes: readonly ToldChange[]])[] = [
    ["Breaking", changes.filter(({ verdict }) => verdict === "breaking")],
    ["Worth a look", changes.filter(({ verdict }) => verdict === "warning")],
    ["Deprecated", changes.filter((change) => change.verdict === "additive" && isDeprecated(change))],
    ["Added", changes.filter((change) => change.verdict === "additive" && !isDeprecated(change))],
  ];
  return groups
    .filter(([, list]) => list.length > 0)
    .map(([heading, list]) => `${heading}:\n\n${list.map(({ markdown }) => `- ${markdown}`).join("\n")}`)
    .join("\n\n");
}
