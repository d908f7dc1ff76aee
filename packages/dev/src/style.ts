import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "@trainyard/codegen/problem";
import { redocly } from "@trainyard/codegen/redocly";

/** What the style guide says of services, as `pnpm check:contract` does. Nothing where there is no style guide. */
export async function judgeStyle(root: string, services: readonly string[], signal: AbortSignal): Promise<Problem[]> {
  if (services.length === 0 || !existsSync(join(root, "redocly.yaml"))) return [];
  const documents = services.map((service) => `openapi/${service}/openapi.yaml`);
  const { code, text } = await redocly(["lint", ...documents, "--format=github-actions"], root, signal);
  const problems = readAnnotations(text);
  if (code === 0 || problems.length > 0) return problems;
  // A rule that itself is broken, or a configuration.
  return [{ file: "redocly.yaml", message: text.trim(), cure: "Mend the rules, or their configuration." }];
}

/** Reads `::error title=rule,file=…,line=…,col=…::message`. A file that several services share is named once. */
export function readAnnotations(text: string): Problem[] {
  const lines = /^::(?:error|warning) title=(.*?),file=(.*?),line=(\d+),col=(\d+)(?:,.*?)?::(.*)$/gm;
  const problems = [...text.matchAll(lines)].map(([, rule = "", file = "", line, column, message = ""]): Problem => ({
    file: unescape(file),
    line: Number(line),
    column: Number(column),
    message: unescape(message),
    cure: `This is the rule ${unescape(rule)} of redocly.yaml.`,
  }));
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll(/%(?!0A|0D|25|2C|3A)/gi, "%25")).replaceAll("\\", "/");
}
