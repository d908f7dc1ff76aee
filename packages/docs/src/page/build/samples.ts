import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { samples } from "../../places.ts";

/** Whether a sample runs in a page, and if not, what it needs besides the clients. */
export type SampleFact =
  | { readonly runs: true; readonly name: string }
  | { readonly runs: false; readonly needs: readonly string[] };

/** The packages that are available in a page: the clients of the services. */
const inPage = /^@trainyard\/(training|inference|auxiliary)(\/|$)/;

/**
 * The TypeScript programs that guides and references show, by their paths in packages/samples, without modules of
 * programs.
 */
export function sampleFacts(): ReadonlyMap<string, SampleFact> {
  const files = globSync("{training,inference,auxiliary,programs,programs/learning,test,trainers}/*.{ts,tsx}", {
    cwd: samples,
  });
  const facts = new Map<string, SampleFact>();
  for (const file of files.map((path) => path.replaceAll("\\", "/")).toSorted()) {
    const text = readFileSync(join(samples, file), "utf8");
    if (/^export /m.test(text)) continue;
    const needs = needsOf(text, file);
    // `programs-chat` for `programs/chat.ts`.
    const name = file.replace(/\.tsx?$/, "").replaceAll("/", "-");
    facts.set(file, needs.length === 0 ? { runs: true, name } : { runs: false, needs });
  }
  return facts;
}

/**
 * What a program needs besides the clients: packages, also those of its own modules, and `process` if it is used for
 * more than printing.
 */
function needsOf(text: string, file: string): string[] {
  const needs = new Set<string>();
  for (const [, name = ""] of text.matchAll(/^(?:import|\} from)\b[^"]*"([^"]+)"/gm)) {
    if (inPage.test(name)) continue;
    if (!name.startsWith(".")) needs.add(name);
    else {
      const path = join(file, "..", name).replaceAll("\\", "/");
      for (const need of needsOf(readFileSync(join(samples, path), "utf8"), path)) needs.add(need);
    }
  }
  if (/\bprocess\.(?!stdout\.write|env\b)/.test(text)) needs.add("node:process");
  return [...needs];
}
