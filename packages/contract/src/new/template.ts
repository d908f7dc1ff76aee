import { readFileSync } from "node:fs";
import type { Plan } from "./plan.ts";

/**
 * Plans the files of a template of `templates/`. Each begins with a line of `===` and its path, and `{{name}}` stands for
 * a value.
 */
export function planTemplate(plan: Plan, template: string, values: Readonly<Record<string, string>>): void {
  const text = readFileSync(new URL(`templates/${template}.txt`, import.meta.url), "utf8");
  for (const part of text.split(/^=== /m).slice(1)) {
    const filled = part.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
    const end = filled.indexOf("\n");
    plan.create(filled.slice(0, end), filled.slice(end + 1));
  }
}
