import type { Curve } from "@trainyard/local";
import type { Context } from "../store/commands/context.ts";
import { nameOf, readCurve, type CurveQuery } from "./curve.ts";

/** The curve of one split as CSV (RFC 4180), with a row for each step. */
export function exportCurve(context: Context, query: CurveQuery): { csv: string; name: string } | "not-found" {
  const curve = readCurve(context, query, Number.POSITIVE_INFINITY);
  return curve === "not-found" ? curve : { csv: csvOf(curve), name: nameOf(context.database, query.id) };
}

type Values = readonly (number | null)[];

function csvOf(curve: Curve): string {
  const { step, n, mean, min, max, sd, flat_low, flat_high, exceptions, tokens, metrics, training } = curve;
  const ofSteps: Record<string, Values> = { n, mean, min, max, sd, flat_low, flat_high, exceptions };
  ofSteps["tokens.p50"] = tokens.p50;
  ofSteps["tokens.p90"] = tokens.p90;
  for (const [name, values] of Object.entries(metrics)) ofSteps[`metric.${name}`] = values;
  // Jobs create steps, and attempts are logged later, so either may be missing for a step.
  const steps = [...new Set([...step, ...training.step])].toSorted((a, b) => a - b);
  const columns: [string, (step: number) => number | null | undefined][] = [["step", (one) => one]];
  const add = (names: Readonly<Record<string, Values>>, places: readonly number[], prefix = "") => {
    const placeOf = new Map(places.map((one, place) => [one, place]));
    for (const [name, values] of Object.entries(names)) {
      columns.push([prefix + name, (one) => values[placeOf.get(one) ?? -1]]);
    }
  };
  add(ofSteps, step);
  add(training.metrics, training.step, "training.");
  const rows = [
    columns.map(([name]) => quoted(name)).join(","),
    ...steps.map((one) => columns.map(([, valueAt]) => String(valueAt(one) ?? "")).join(",")),
  ];
  return rows.map((row) => `${row}\r\n`).join("");
}

/** A name as a CSV field: people and programs choose names freely. */
function quoted(name: string): string {
  return /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
