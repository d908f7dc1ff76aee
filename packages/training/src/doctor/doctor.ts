import { changeOf } from "./change.ts";
import { window, type RunFigures } from "./history.ts";
import { attemptRules } from "./attempt-rules.ts";
import { fallenOf, fallOf, type Found, type Looked, type Rule, type RuleName } from "./looked.ts";
import { rewardRules } from "./reward-rules.ts";

/** What a rule found in a run. */
export interface DoctorFinding extends Found {
  readonly rule: RuleName;
  /** The step that it is about. */
  readonly step: number;
}

/** What the rules say about a run at its newest step. */
export interface Diagnosis {
  /** `ill` with a warning or a failure; `unknown` with fewer than three steps, unless something was found. */
  readonly verdict: "healthy" | "ill" | "unknown";
  /** Failures and warnings, then notes; causes before what follows from them. */
  readonly findings: readonly DoctorFinding[];
  /** The rules that could not look, and why. */
  readonly unjudged: readonly { readonly rule: RuleName; readonly why: string }[];
  /** The tasks whose reward fell, those that carry most of the fall first. */
  readonly fallen: readonly string[];
  /** The step from which on they are lower: the first of those that were judged. */
  readonly since: number;
}

/** Judges a run by simple rules: its last two steps against those before them. Notes are not illnesses. */
export function doctor(run: RunFigures): Diagnosis {
  const steps = run.steps.filter(({ groups }) => groups.length > 0).slice(-window);
  const now = steps.at(-1) ?? { step: run.jobs.at(-1)?.step ?? 0, groups: [] };
  const { low, high } = rangeOf(run);
  // Divided first, because the difference of two large rewards may be larger than any number; outliers count as ends.
  const span = high / 2 - low / 2;
  const unit = (reward: number) => Math.max(-1, Math.min(2, (reward / 2 - low / 2) / span));
  const [before, after] = [steps.slice(0, -2), steps.slice(-2)];
  const looked: Looked = {
    run: { ...run, steps },
    now,
    before,
    after,
    jobs: run.jobs.slice(-window),
    unit,
    ofRange: (part) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, part * span * 2)),
    reward: changeOf(before, after, ({ rewards }) => rewards.map(unit)),
  };
  const findings: DoctorFinding[] = [];
  const unjudged: { rule: RuleName; why: string }[] = [];
  // Causes before what follows from them: of warnings, the first three are shown.
  for (const [rule, look] of Object.entries({ ...attemptRules, ...rewardRules }) as [RuleName, Rule][]) {
    const found = look(looked);
    if (typeof found === "string") unjudged.push({ rule, why: found });
    else if (found !== null) {
      const { severity, text, values, filter } = found;
      findings.push({ rule, step: now.step, severity, text, values, filter });
    }
  }
  findings.sort((a, b) => severities[a.severity] - severities[b.severity]);
  const isIll = findings.some(({ severity }) => severity !== "note");
  return {
    verdict: isIll ? "ill" : steps.length < 3 ? "unknown" : "healthy",
    findings,
    unjudged,
    fallen: fallenOf(fallOf(looked)?.change ?? looked.reward).map(({ task }) => task),
    since: after[0]?.step ?? now.step,
  };
}

const severities = { failure: 0, warning: 1, note: 2 };

/** From 0 to the highest reward if none is outside of 0 to 1; otherwise from the lowest to the highest. */
function rangeOf({ range }: RunFigures): { low: number; high: number } {
  const { low, high } = range ?? { low: 0, high: 1 };
  const least = low >= 0 ? 0 : low;
  return { low: least, high: high > least ? high : least + 1 };
}
