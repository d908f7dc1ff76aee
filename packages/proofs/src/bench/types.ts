import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { atMost, type Findings, ratios, spreadOf } from "./report.ts";

const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const options = "--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --module nodenext".split(" ");
const programs = ["empty", "trainyard", "openai"] as const;

interface Diagnostics {
  readonly instantiations: number;
  /** Milliseconds: of type checking, and of the whole compilation. */
  readonly check: number;
  readonly total: number;
}

/** The compiler's own account of its work, in one thread. */
export function compile(args: readonly string[], cwd: string): Diagnostics {
  const output = run(process.execPath, [tsc, ...args, "--singleThreaded", "--extendedDiagnostics"], { cwd });
  const value = (name: string): number => {
    const text = new RegExp(`^${name}: +([\\d.]+)`, "m").exec(output)?.[1];
    if (text === undefined) throw new Error(`The compiler's diagnostics have no "${name}":\n${output}`);
    return Number(text);
  };
  const [check, total] = [value("Check time") * 1000, value("Total time") * 1000];
  return { instantiations: value("Instantiations"), check, total };
}

/** The compiler's cost of the clients' types in a program that uses the installed packages. */
export function types(): Findings {
  const folder = join(import.meta.dirname, "programs");
  const rounds = Array.from({ length: 15 }, () =>
    programs.map((name) => compile([...options, "--types", "", `types-${name}.ts`], folder)),
  );
  const of = (program: (typeof programs)[number], key: keyof Diagnostics): number[] =>
    rounds.map((round) => round[programs.indexOf(program)]?.[key] ?? NaN);
  const ms = (values: readonly number[]): string => `${spreadOf(values).median.toFixed(0)} ms`;
  const above = (program: "trainyard" | "openai"): number =>
    spreadOf(of(program, "instantiations")).median - spreadOf(of("empty", "instantiations")).median;
  const each = "one program with all three clients";
  return {
    how: `\`tsc --extendedDiagnostics --skipLibCheck\`, one thread, over a program of six calls with all three clients, and one of six calls with \`openai\`. Whole time: an empty program takes ${ms(of("empty", "total"))} of it. Instantiations: above those of an empty program.`,
    against: "openai",
    rows: [
      ...(["check", "total"] as const).flatMap((key) => {
        const ratio = ratios(of("trainyard", key), of("openai", key));
        const title = key === "check" ? "checking" : "whole";
        return [
          { what: `openai, ${title}`, measured: ms(of("openai", key)) },
          {
            what: `${each}, ${title}`,
            measured: ms(of("trainyard", key)),
            ratio,
            ...atMost(ratio.median, 0.5, "× 0.50"),
          },
        ];
      }),
      { what: "openai, instantiations", measured: `${above("openai")}` },
      { what: `${each}, instantiations`, measured: `${above("trainyard")}`, ...atMost(above("trainyard"), 100, "100") },
    ],
  };
}
