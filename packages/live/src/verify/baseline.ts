import { isObject } from "@trainyard/core/validation";
import { isSeq, LineCounter, parseDocument } from "yaml";
import { UsageError } from "@trainyard/terminal/command";
import type { Finding } from "./findings.ts";

export interface Known {
  readonly id: string;
  readonly reason: string;
  /** Where the baseline says it: `baseline.yaml:3`. */
  readonly at: string;
}

/** Findings, apart from those that a baseline knows, and those that differ from a proposal. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly proposals: readonly Finding[];
  readonly known: readonly (Finding & { readonly reason: string })[];
  /** The entries of the baseline that fit no finding, each as a sentence. */
  readonly outdated: readonly string[];
}

/** Reads a baseline: a list in YAML or JSON, each entry with the `id` of a finding and a `reason`. */
export function readBaseline(file: string, text: string): Known[] {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const fault = (offset: number, why: string): never => {
    const example = `- id: 3f2a91c0de\n  reason: The gateway answers 403 until March.`;
    throw new UsageError(`${file}:${counter.linePos(offset).line}: ${why} Write, for example:\n${example}`);
  };
  for (const { pos, message } of document.errors) fault(pos[0], message.replace(/ at line \d+, column \d+:.*/s, "."));
  if (!isSeq(document.contents)) return fault(0, "A baseline is a list.");
  return document.contents.items.map((item, index): Known => {
    const offset = Object(item).range?.[0] ?? 0;
    const value: unknown = document.contents?.toJS(document)[index];
    const { id, reason, ...others } = isObject(value) ? value : {};
    const [other] = Object.keys(others);
    if (other !== undefined) fault(offset, `An entry has \`id\` and \`reason\`, and no \`${other}\`.`);
    const wanted = "`id` of a finding, ten hexadecimal digits in quotes if they are all digits";
    if (typeof id !== "string" || !/^[\da-f]{10}$/.test(id)) return fault(offset, `The entry has no ${wanted}.`);
    if (typeof reason !== "string" || reason.trim() === "") return fault(offset, `The entry ${id} has no \`reason\`.`);
    return { id, reason, at: `${file}:${counter.linePos(offset).line}` };
  });
}

export function judge(findings: readonly Finding[], baseline: readonly Known[]): Judged {
  const ids = new Set(findings.map(({ id }) => id));
  const reasonOf = ({ id }: Finding): string | undefined => baseline.find((one) => one.id === id)?.reason;
  const fresh = findings.filter((one) => reasonOf(one) === undefined);
  return {
    findings: fresh.filter(({ certainty }) => certainty !== "differs from a proposal"),
    proposals: fresh.filter(({ certainty }) => certainty === "differs from a proposal"),
    known: findings.flatMap((one) => {
      const reason = reasonOf(one);
      return reason === undefined ? [] : [{ ...one, reason }];
    }),
    outdated: baseline
      .filter(({ id }) => !ids.has(id))
      .map(({ id, at }) => `${at}: ${id} fits no finding of this run. Remove the entry if the run saw its operation.`),
  };
}
