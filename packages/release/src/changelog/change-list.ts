import type { ServiceComparison, DescribedChange } from "@trainyard/contract";

/** The changes that affect callers, in Markdown, grouped by their effect. Empty if there are none. */
export function changeList({ changes }: Pick<ServiceComparison, "changes"> = { changes: [] }): string {
  const accepted = changes.filter((change) => change.accepted !== undefined);
  const open = changes.filter((change) => change.accepted === undefined);
  const isDeprecated = ({ kind }: DescribedChange): boolean => kind === "deprecated";
  const groups: readonly (readonly [heading: string, changes: readonly DescribedChange[]])[] = [
    ["Breaking", open.filter(({ verdict }) => verdict === "breaking")],
    ["Worth a look", open.filter(({ verdict }) => verdict === "warning")],
    ["Deprecated", open.filter((change) => change.verdict === "additive" && isDeprecated(change))],
    ["Added", open.filter((change) => change.verdict === "additive" && !isDeprecated(change))],
    ["Reviewed and accepted", accepted],
  ];
  return groups
    .filter(([, list]) => list.length > 0)
    .map(([heading, list]) => `${heading}:\n\n${list.map(({ markdown }) => `- ${markdown}`).join("\n")}`)
    .join("\n\n");
}
