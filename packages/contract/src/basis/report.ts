import { textTable } from "@trainyard/terminal/table";
import { location } from "../report/sentence.ts";
import { type Basis, bases, groupBy } from "@trainyard/document";
import { type Fact, type Subject, subjects } from "./fact.ts";

type Counts = Readonly<Record<Basis, number>>;

function count(facts: readonly Fact[]): Counts {
  const of = (basis: Basis): number => facts.filter((fact) => fact.basis === basis).length;
  return { proposed: of("proposed"), adopted: of("adopted"), interface: of("interface") };
}

/** The counts of a service by subject. Subjects without facts are left out. */
function table(facts: readonly Fact[]): [Subject | "all", Counts][] {
  const rows = subjects.flatMap((subject): [Subject, Counts][] => {
    const own = facts.filter((fact) => fact.subject === subject);
    return own.length === 0 ? [] : [[subject, count(own)]];
  });
  return [...rows, ["all", count(facts)]];
}

function byService(facts: readonly Fact[]): [string, readonly Fact[]][] {
  return [...groupBy(facts, ({ service }) => service)];
}

function text(facts: readonly Fact[]): string {
  const services = byService(facts).map(([service, own]) => {
    const rows = table(own).map(([name, counts]) => [`  ${name}`, ...bases.map((basis) => String(counts[basis]))]);
    const list = bases.flatMap((basis) =>
      own
        .filter((fact) => fact.basis === basis)
        .map(({ subject, place, text, at }) => {
          return [`  ${basis}`, subject, `${place}${text === undefined ? "" : `: ${text}`}  ${location(at)}`];
        }),
    );
    return [...textTable([[service, ...bases], ...rows]), "", ...textTable(list)].join("\n");
  });
  const all = count(facts);
  const total = bases.map((basis) => `${all[basis]} ${basis}`).join(", ");
  return [...services, `All services: ${total}.`].join("\n\n");
}

function json(facts: readonly Fact[]): string {
  const services = byService(facts).map(([service, own]) => ({
    service,
    counts: Object.fromEntries(table(own)),
    facts: own.map(({ at, basis, subject, place, text }) => ({ basis, subject, place, text, ...at })),
  }));
  return JSON.stringify({ counts: count(facts), services }, null, 2);
}

/** The formats of `--format`, by name. */
export const basisFormats: Readonly<Record<string, (facts: readonly Fact[]) => string>> = { text, json };
