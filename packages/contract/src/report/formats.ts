import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckReport } from "./model.ts";
import { github } from "./github.ts";
import { markdown } from "./markdown.ts";
import { text } from "./text.ts";

/** Prints the whole report or, with the name of a file that has it, one screen. */
type Format = (report: CheckReport, file?: string) => string;

/** The formats of `--format`, by name. */
export const formats: Readonly<Record<string, Format>> = { text, markdown, github };

/** One screen of a report. If that leaves anything out, it names a temporary file with the whole report. */
export function onScreen(report: CheckReport, format: Format): string {
  const file = join(tmpdir(), `trainyard-report-${randomUUID()}.txt`);
  const short = format(report, file);
  if (short.includes(file)) writeFileSync(file, format(report), { flag: "wx", mode: 0o600 });
  return short;
}
