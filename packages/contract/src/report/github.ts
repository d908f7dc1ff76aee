import type { CheckReport } from "../check.ts";
import type { FilePlace, PlacedChange } from "../service-report.ts";
import { acceptance, broken, consequences } from "./sentence.ts";
import { text, typesCure } from "./text.ts";

type Level = "error" | "warning" | "notice";

/** For a GitHub workflow: each change as an annotation of its line, and the whole report as text. */
export function github(report: CheckReport): string {
  const lines = report.services.flatMap(({ service, changes, version, types, sinceRelease }) => [
    ...(version?.fault === undefined ? [] : [annotation("error", version.at, "Wrong version", version.fault)]),
    ...(sinceRelease?.leaving ?? []).map((sentence) =>
      annotation("error", { file: `openapi/${service}/openapi.yaml` }, "Leaves too early", sentence),
    ),
    ...(types?.faults ?? []).map((sentence) =>
      annotation("error", { file: `openapi/${service}/openapi.yaml` }, "Types disagree", `${sentence}\n${typesCure}`),
    ),
    ...changes.map((change) =>
      annotation(level(change, version?.right === false), change.at, title(change), message(change)),
    ),
  ]);
  return [...lines, "", text(report)].join("\n");
}

/** A breaking change is not an error if the version is already raised. */
function level({ verdict }: PlacedChange, tooLow: boolean): Level {
  if (verdict === "warning") return "warning";
  if (verdict !== "breaking") return "notice";
  return tooLow ? "error" : "warning";
}

function title({ verdict, place }: PlacedChange): string {
  return `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}: ${place}`;
}

function message(change: PlacedChange): string {
  return [change.what, ...acceptance(change), ...consequences(change), ...broken(change)].join("\n");
}

/** A workflow command that shows a message at a line. */
export function annotation(kind: Level, { file, line }: FilePlace, heading: string, words: string): string {
  const place = line === undefined ? `file=${property(file)}` : `file=${property(file)},line=${line}`;
  return `::${kind} ${place},title=${property(heading)}::${data(words)}`;
}

/** GitHub's escapes: a line feed would end the command. */
function data(words: string): string {
  return words.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(words: string): string {
  return data(words).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
