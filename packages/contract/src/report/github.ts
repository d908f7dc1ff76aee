import { annotation } from "@trainyard/codegen/problem";
import type { CheckReport, LocatedChange } from "./model.ts";
import { details, refusals } from "./sentence.ts";
import { text } from "./text.ts";

type Level = "error" | "warning" | "notice";

/** For a GitHub workflow: each change as an annotation of its line, and the whole report as text. */
export function github(report: CheckReport): string {
  const lines = report.services.flatMap((service) => [
    ...refusals(service).map(({ title, at, sentence }) => annotation("error", at, title, sentence)),
    ...service.changes.map((change) =>
      annotation(level(change, service.version?.right === false), change.at, title(change), message(change)),
    ),
  ]);
  const idle = report.idle.map((sentence) =>
    annotation("error", { file: sentence.split(" ")[0] ?? "" }, "Acceptance of no change", sentence),
  );
  return [...lines, ...idle, "", text(report)].join("\n");
}

/** A breaking change is not an error if the version is already raised. */
function level({ verdict }: LocatedChange, tooLow: boolean): Level {
  if (verdict === "warning") return "warning";
  if (verdict !== "breaking") return "notice";
  return tooLow ? "error" : "warning";
}

function title({ verdict, place }: LocatedChange): string {
  return `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}: ${place}`;
}

function message(change: LocatedChange): string {
  return [change.what, ...details(change)].join("\n");
}
