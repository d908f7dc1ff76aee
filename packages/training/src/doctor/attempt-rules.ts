import { changeOf, sum } from "./change.ts";
import type { GroupFigures, StepFigures } from "./history.ts";
import {
  countOf,
  filterOf,
  flagged,
  flatBelow,
  groupsOf,
  isStill,
  mean,
  median,
  percent,
  rewardOf,
  shareOf,
  short,
  smallest,
  steps,
  type Rule,
  type AttemptRule,
} from "./looked.ts";

/** Rules for jobs, and for how attempts were made. */
export const attemptRules: Readonly<Record<AttemptRule, Rule>> = {
  "job-failed": ({ jobs }) => {
    const { failure, id } = jobs.at(-1) ?? {};
    if (failure === undefined) return null;
    const filter = { page: "jobs", ...(id !== undefined && { job: id }) };
    return { severity: "failure", text: failure, values: { message: failure }, filter };
  },

  "exceptions-as-rewards": (looked) => {
    const { run, unit, after } = looked;
    const thrownBy = ({ thrown, errors, rewards }: GroupFigures): (string | null)[] => [
      ...rewards.map((reward, at) => (unit(reward) <= 0 ? (errors[at] ?? null) : null)),
      ...thrown,
    ];
    const types = groupsOf(after).flatMap((group) => thrownBy(group).flatMap((type) => type ?? []));
    if (types.length === 0) return null;
    const [[type, count] = ["", 0]] = [...countOf(types)].toSorted(([, a], [, b]) => b - a);
    const first = run.steps.find(({ groups }) => groups.some((group) => thrownBy(group).includes(type)))?.step ?? 0;
    const found = shareOf(looked, (group) => thrownBy(group).map((one) => one !== null), {
      rise: smallest,
      always: 0.1,
    });
    if (found.share < 0.02) return null;
    return {
      ...found,
      text: `${percent(found.share)} of the attempts of the last ${steps(after)} ended in an exception or with an error and the lowest reward; ${count} of them are ${type}, first at step ${first}.`,
      values: { share: found.share, count: types.length, type, first },
      filter: groupsOf(after).some(({ thrown }) => thrown.length > 0)
        ? filterOf(looked, "rollouts", { flag: "exception" })
        : filterOf(looked, "rollouts", { sort: "reward" }),
    };
  },

  "stale-policy": (looked) => {
    if (groupsOf(looked.after).every(({ lag }) => lag === null)) return "No attempt says which policy made it.";
    const found = shareOf(looked, flagged("stale"), { rise: 0.1, always: 0.1 });
    if (found.share === 0) return null;
    const lag = groupsOf(looked.after).reduce((most, group) => Math.max(most, group.lag ?? 0), 0);
    return {
      ...found,
      text: `${percent(found.share)} of the attempts of the last ${steps(looked.after)} (${found.count}) were made by a policy more than two steps old, at most ${lag} steps.`,
      values: { share: found.share, count: found.count, lag },
      filter: filterOf(looked, "rollouts", { flag: "stale" }),
    };
  },

  "cut-by-length": (looked) => {
    const found = shareOf(looked, flagged("cut"), { rise: 0.1 });
    if (found.share < 0.1) return null;
    return {
      ...found,
      text: `The token limit cut off ${percent(found.share)} of the answers of the last ${steps(looked.after)} (${found.count})${found.from === undefined ? "" : `, ${percent(found.from)} before`}.`,
      values: { share: found.share, count: found.count, ...(found.from !== undefined && { from: found.from }) },
      filter: filterOf(looked, "rollouts", { flag: "cut" }),
    };
  },

  "no-movement": ({ jobs, run }) => {
    const ended = jobs.filter(({ updates, failure }) => failure === undefined && updates.length > 0);
    if (ended.length === 0) return "No job reported a gradient step.";
    const still = ended.slice(ended.findLastIndex((job) => !isStill(job, run)) + 1);
    if (still.length < 2) return null;
    const norm = mean(still.flatMap(({ updates }) => updates.flatMap((update) => update["gradient_norm"] ?? [])));
    return {
      severity: "warning",
      text: `The last ${still.length} jobs trained at a rate or with a gradient of 0, although rewards of their groups differ${norm === undefined ? "" : `; the gradient norm is ${short(norm)}`}.`,
      values: { jobs: still.length, ...(norm !== undefined && { gradient_norm: norm }) },
      filter: { page: "jobs" },
    };
  },

  "entropy-collapse": (looked) => {
    // The mean of −log p of sampled tokens estimates the entropy, also of groups that no job trains on.
    const entropyOf = ({ groups }: StepFigures) => {
      const known = groups.filter(({ nats, tokens }) => nats !== null && tokens.every((one) => one !== null));
      const tokens = sum(known, (group) => sum(group.tokens, Number) / group.tokens.length);
      return tokens === 0 ? [] : [sum(known, ({ nats }) => nats ?? 0) / tokens];
    };
    const from = median(looked.before.slice(-5).flatMap(entropyOf));
    const last = looked.after.flatMap(entropyOf);
    const to = last.at(-1);
    if (from === undefined || to === undefined)
      return "Too few attempts were logged with the log probabilities of their tokens.";
    if (to >= 0.2 * from) return null;
    const { reward, run, now, unit } = looked;
    // At once, with a fall of the reward that is as sudden, so below the two steps before; or for two steps.
    const fall = changeOf(run.steps.slice(-3, -1), [now], ({ rewards }) => rewards.map(unit));
    const isSudden = fall !== undefined && fall.change < -Math.max(0.2, fall.least);
    const fell = reward !== undefined && reward.change < -Math.max(smallest, reward.least / 2);
    const stuck = flatBelow(looked, looked.after).share;
    const isLasting = last.every((entropy) => entropy < 0.2 * from) && (fell || stuck >= 0.4);
    if (!isSudden && !isLasting) return null;
    const level = rewardOf(looked);
    return {
      severity: "warning",
      text: `The entropy of the answers went from ${short(from)} to ${short(to)} nats a token, and the reward is not at the top: it is ${short(level)}, and ${percent(stuck)} of groups have equal rewards below the best of their task.`,
      values: { from, to, reward: level, share: stuck },
      filter: filterOf(looked, "groups", { sort: "mean" }),
    };
  },

  "same-answers": (looked) => {
    const severalOf = ({ groups }: StepFigures) => groups.filter(({ rewards }) => rewards.length > 1);
    const several = looked.after.flatMap(severalOf);
    if (several.length === 0) return "No group has more than one attempt.";
    const isOne = ({ answers }: GroupFigures) => answers === 1;
    const [one, share] = [several.filter(isOne), several.filter(isOne).length / several.length];
    // How improbable it is, in nats, that all attempts are the same if the model samples them: at temperature 0 they always are.
    const same = looked.run.steps.slice(looked.run.steps.findLastIndex((step) => !severalOf(step).every(isOne)) + 1);
    const nats = sum(same.flatMap(severalOf), (group) => (group.rewards.length - 1) * (group.nats ?? 0));
    const isCold = same.length > 1 && nats > 10;
    // Without log probabilities: nearly all groups, and the reward is not at the top.
    const isStuck =
      share >= 0.9 && one.every(({ nats }) => nats === null) && flatBelow(looked, looked.after).share >= 0.5;
    if (!isCold && !isStuck) return null;
    const why = isCold
      ? "the model gives this a probability below 1 in 20,000: they were hardly sampled at temperature 1"
      : "half of them have a reward below the best of their task";
    return {
      severity: "warning",
      text: `All attempts of ${one.length} of the ${several.length} groups of the last ${steps(looked.after)} have the same answer, and ${why}.`,
      values: { share, count: one.length },
      filter: filterOf(looked, "rollouts", { flag: "same-answer" }),
    };
  },
};
