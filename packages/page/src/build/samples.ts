import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The samples, in the workspace. */
export const samples: string = join(import.meta.dirname, "../../../samples");

/** Whether a sample runs in a page. What it needs besides the clients, where it does not. */
export type SampleFact =
  | { readonly runs: true; readonly name: string }
  | { readonly runs: false; readonly needs: readonly string[] };

/** What is there in a page: the clients of the services. */
const inPage = /^@trainyard\/(training|inference|auxiliary)(\/|$)/;

/** The TypeScript programs that guides and references show, by their paths in packages/samples. Modules of programs are none. */
export function sampleFacts(): ReadonlyMap<string, SampleFact> {
  const files = globSync("{training,inference,auxiliary,programs,programs/learning,test,trainers}/*.{ts,tsx}", {
    cwd: samples,
  });
  const facts = new Map<string, SampleFact>();
  for (const file of files.map((path) => path.replaceAll("\\", "/")).toSorted()) {
    const text = readFileSync(join(samples, file), "utf8");
    if (/^export /m.test(text)) continue;
    const needs = needsOf(text, file);
    facts.set(file, needs.length === 0 ? { runs: true, name: nameOf(file) } : { runs: false, needs });
  }
  return facts;
}

/** What a program needs besides the clients: the modules, its own ones followed, and `process` where it is more than printing. */
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

/** `programs/chat.ts` → `programs-chat`: as its file is called in a page. */
function nameOf(file: string): string {
  return file.replace(/\.tsx?$/, "").replaceAll("/", "-");
}
