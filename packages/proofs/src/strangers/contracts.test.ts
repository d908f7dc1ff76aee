/**
 * Documents that other people wrote, as their users would use them here: read, generated, compiled, served and verified.
 * `pnpm exec vitest run --project strangers-contracts` runs it, and compares the counts with RESULTS.md; `-u` writes them. With the names of
 * documents in `STRANGERS`, it prints their rows.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installTools } from "@trainyard/release/tools";
import { expect, it } from "vitest";
import { report } from "../report.ts";
import { compileClients } from "./compile.ts";
import { suitesIn } from "./corpus.ts";
import { examineAll } from "./examine-all.ts";
import { tableOf } from "./table.ts";

/** `whole`, or the names of some documents, whose table is only printed. */
const wanted = process.env["STRANGERS"];
const clients = join(import.meta.dirname, "../../.cache/strangers");

it.skipIf(wanted === undefined)(
  "documents of other people are generated, served and verified as RESULTS.md says",
  async () => {
    const suites = suitesIn(installTools("documents"));
    const isWhole = wanted === "whole";
    rmSync(clients, { recursive: true, force: true });
    mkdirSync(clients, { recursive: true });
    const strangers = new Map(suites.flatMap((suite) => suite.strangers).map((one) => [one.name, one]));
    const chosen = [...strangers.values()].filter(({ name }) => isWhole || wanted?.split(",").includes(name));
    const examined = await examineAll(chosen, clients);
    const errors = compileClients(clients);
    const rows = new Map([...examined].map(([name, one]) => [name, { ...one, name, errors: errors.get(name) ?? [] }]));
    const operations = [...rows.values()].reduce((sum, row) => sum + row.operations, 0);
    report(
      "strangers",
      `${rows.size} documents of other people with ${operations} operations were generated and served.`,
    );
    const table = tableOf(suites, rows);
    if (isWhole) await expect(table).toMatchFileSnapshot("RESULTS.md");
    else console.log(table);
    // What no table excuses.
    const broken = [...rows.values()].filter(
      ({ own, prism, undeclared, errors, crashes }) =>
        own < prism || undeclared.length + errors.length + crashes.length > 0,
    );
    expect(broken.map(({ name }) => name)).toEqual([]);
  },
);
