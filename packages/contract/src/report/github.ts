import type { CheckReport, FileLocation, LocatedChange } from "./model.ts";
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

/** A workflow command that shows a message at a line. */
export function annotation(kind: Level, { file, line }: FileLocation, heading: string, body: string): string {
  const position = line === undefined ? `file=${property(file)}` : `file=${property(file)},line=${line}`;
  return `::${kind} ${position},title=${property(heading)}::${data(body)}`;
}

/** GitHub's escapes: a line feed would end the command. */
function data(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return data(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
