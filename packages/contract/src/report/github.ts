import { annotation } from "@trainyard/document/files";
import type { CheckReport, LocatedChange } from "./model.ts";
import { capital } from "../json.ts";
import { details, othersInWords, refusals } from "./sentence.ts";
import { groupsOf } from "./group.ts";
import { text } from "./text.ts";

/** For a GitHub workflow: each cause as an annotation of its first line, and the report as text, which may fit one screen. */
export function github(report: CheckReport, file?: string): string {
  const lines = report.services.flatMap((service) => [
    ...refusals(service, true).map(({ title, at, sentence }) => annotation("error", at, title, sentence)),
    ...groupsOf(service.changes).map((group) =>
      annotation(
        level(group, service.version?.right === false || service.refused !== undefined),
        group.at,
        capital(`${group.verdict}: ${group.place}`),
        [`${group.what}${othersInWords(group)}`, ...details(group, 3)].join("\n"),
      ),
    ),
  ]);
  const idle = report.idle.map((sentence) =>
    annotation("error", { file: sentence.split(" ")[0] ?? "" }, "Acceptance of no change", sentence),
  );
  return [...lines, ...idle, "", text(report, file)].join("\n");
}

/** A breaking change is not an error if the version is already raised. */
function level({ verdict }: LocatedChange, tooLow: boolean): "error" | "warning" | "notice" {
  if (verdict === "warning") return "warning";
  if (verdict !== "breaking") return "notice";
  return tooLow ? "error" : "warning";
}
