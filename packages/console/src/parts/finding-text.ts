import type { Finding } from "@trainyard/local";
import { change, count, share, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";

/** The text of a finding: a title, a sentence with its numbers, and a link. */
export interface FindingText {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

type Words = (value: (name: string) => number, textOf: (name: string) => string, step: number) => FindingText;

const words: Readonly<Record<string, Words>> = {
  "job-failed": (_, textOf) => ({ title: "The newest job failed", text: textOf("message"), link: "Its log" }),
  exceptions: (value, textOf, step) => ({
    title: `${share(value("share"))} of attempts ended in an exception`,
    text: `${count(value("count"))} at step ${step}${textOf("type") === "" ? "." : `; ${textOf("type")} is new.`}`,
    link: "Read them",
  }),
  "no-signal": (value, _, step) => ({
    title: `${share(value("share"))} of groups have no signal`,
    text: `All rewards are equal: ${share(value("high"))} too easy, ${share(value("low"))} too hard, at step ${step}.`,
    link: "Show the groups",
  }),
  "growing-answers": (value, _, step) => ({
    title: "Answers get longer, but not better",
    text: `The median went from ${count(value("from"))} to ${count(value("to"))} tokens since step ${value("since")}; the reward changed by ${change(value("change"))}.`,
    link: `Longest answers at step ${step}`,
  }),
  "no-tool": (value) => ({
    title: `${count(value("count"))} rewarded ${value("count") === 1 ? "answer" : "answers"} without a tool call`,
    text: "Their reward is at least the mean of a group in which half of the attempts called one.",
    link: "Read them",
  }),
  cut: (value, _, step) => ({
    title: `${share(value("share"))} of answers are cut off`,
    text: `${count(value("count"))} attempts reached the token limit at step ${step}.`,
    link: "Read them",
  }),
  stale: (value) => ({
    title: `${count(value("count"))} attempts with an old policy`,
    text: "Their policy was more than two steps old when they ended.",
    link: "Read them",
  }),
  "train-over-val": (value) => ({
    title: "Train and val move apart",
    text: `Their difference went from ${change(value("from"))} to ${change(value("to"))} since step ${value("since")}.`,
    link: "Worst attempts of val",
  }),
  entropy: (value) => ({
    title: "The entropy is close to 0",
    text: `From ${small(value("from"))} to ${small(value("to"))}: all answers become the same.`,
    link: "Read them",
  }),
  kl: (value, textOf) => ({
    title: "The KL grows fast",
    text: `${textOf("metric") === "kl" ? "KL to the sampler" : "KL to base"} went from ${small(value("from"))} to ${small(value("to"))} since step ${value("since")}.`,
    link: "Jobs",
  }),
  single: (value) => ({
    title: "Groups of one attempt cannot be compared",
    text: `${count(value("groups"))} groups have only one attempt.`,
    link: "Show the groups",
  }),
  "same-answer": (value) => ({
    title: `${count(value("count"))} attempts give the same answer`,
    text: "Three or more attempts of a group have the same last answer.",
    link: "Read them",
  }),
};

/** The text of a finding. For an unknown rule, it is the rule's name. */
export function findingText({ rule, values, step }: Finding): FindingText {
  const value = (name: string) => Number(values[name] ?? Number.NaN);
  const textOf = (name: string) => String(values[name] ?? "");
  return (
    words[rule]?.(value, textOf, step) ?? {
      title: rule,
      text: `At step ${step}.`,
      link: "Show it",
    }
  );
}

/** The page that shows the subject of a finding. */
export function findingHref(run: string, { filter }: Finding): string {
  const { page = "rollouts", ...query } = filter;
  return hrefOf(["runs", run, page], query);
}
