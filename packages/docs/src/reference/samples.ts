import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { samples } from "../places.ts";

/** The languages of the samples, in the order in which they are shown. */
const languages = [
  { ending: "ts", lang: "typescript", label: "TypeScript" },
  { ending: "sh", lang: "curl", label: "curl" },
  { ending: "py", lang: "python", label: "Python" },
] as const;

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
  /** Its path in packages/samples. */
  readonly file: string;
}

/** `models.checkpoints.list` → `models-checkpoints-list`, the name of the operation's own file. */
export function sampleName(method: string): string {
  return method.replaceAll(".", "-").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The samples of an operation, unchanged: TypeScript, curl, Python. */
export function samplesOf(service: string, method: string): CodeSample[] {
  return languages.flatMap(({ ending, lang, label }) => {
    const file = `${service}/${sampleName(method)}.${ending}`;
    const path = join(samples, file);
    return existsSync(path) ? [{ lang, label, file, source: readFileSync(path, "utf8").trimEnd() }] : [];
  });
}
