import type { CheckReport } from "./model.ts";
import { github } from "./github.ts";
import { markdown } from "./markdown.ts";
import { text } from "./text.ts";

/** The formats of `--format`, by name. */
export const formats: Readonly<Record<string, (report: CheckReport) => string>> = { text, markdown, github };
