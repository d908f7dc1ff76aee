import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { fileOf } from "./program.ts";
import { atMost, type Findings } from "./report.ts";
import { ratios, spreadOf } from "./spread.ts";

const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const flags = [
  "--ignoreConfig",
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "--types",
  "",
  "--target",
  "es2023",
  "--module",
  "nodenext",
  "--singleThreaded",
  "--extendedDiagnostics",
];

interface Diagnostics {
  readonly instantiations: number;
  /** Milliseconds: of type checking, and of the whole compilation. */
  readonly check: number;
  readonly total: number;
}

function compile(program: string): Diagnostics {
  const output = run(process.execPath, [tsc, ...flags, fileOf(program)], { cwd: import.meta.dirname });
  const value = (name: string): number => {
    const text = new RegExp(`^${name}: +([\\d.]+)`, "m").exec(output)?.[1];
    if (text === undefined) throw new Error(`The compiler's diagnostics have no "${name}":\n${output}`);
    return Number(text);
  };
  return {
    instantiations: value("Instantiations"),
    check: value("Check time") * 1000,
    total: value("Total time") * 1000,
  };
}

/** The compiler's cost of the clients' types in a program that uses the installed packages. */
export function types(): Findings {
  const rounds = Array.from({ length: 15 }, () => ({
    empty: compile("types-empty"),
    own: compile("types-trainyard"),
    openai: compile("types-openai"),
  }));
  const of = (program: "empty" | "own" | "openai", key: keyof Diagnostics): number[] =>
    rounds.map((round) => round[program][key]);
  const ms = (values: readonly number[]): string => `${spreadOf(values).median.toFixed(0)} ms`;
  const check = ratios(of("own", "check"), of("openai", "check"));
  const total = ratios(of("own", "total"), of("openai", "total"));
  const own = spreadOf(of("own", "instantiations")).median - spreadOf(of("empty", "instantiations")).median;
  const others = spreadOf(of("openai", "instantiations")).median - spreadOf(of("empty", "instantiations")).median;
  const each = "one program with all three clients";
  return {
    how:
      "`tsc --extendedDiagnostics --skipLibCheck`, one thread, over a program of six calls with all three clients, and one of six calls with `openai`. Whole time: an empty program takes " +
      `${ms(of("empty", "total"))} of it. Instantiations: above those of an empty program.`,
    against: "openai",
    rows: [
      { what: "openai, checking", measured: ms(of("openai", "check")) },
      {
        what: `${each}, checking`,
        measured: ms(of("own", "check")),
        ratio: check,
        ...atMost(check.median, 0.5, "× 0.50"),
      },
      { what: "openai, whole", measured: ms(of("openai", "total")) },
      {
        what: `${each}, whole`,
        measured: ms(of("own", "total")),
        ratio: total,
        ...atMost(total.median, 0.5, "× 0.50"),
      },
      { what: "openai, instantiations", measured: `${others}` },
      { what: `${each}, instantiations`, measured: `${own}`, ...atMost(own, 100, "100") },
    ],
  };
}
