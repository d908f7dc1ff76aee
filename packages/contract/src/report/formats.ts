import type { CheckReport } from "../check.ts";
import { github } from "./github.ts";
import { markdown } from "./markdown.ts";
import { text } from "./text.ts";

/** Ways to print a report, by the name that `--format` takes. */
export const formats: Readonly<Record<string, (report: CheckReport) => string>> = { text, markdown, github };
