import type { Finding } from "@trainyard/local";
import { change, count, reward, share, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";

/** A finding in words: what, its numbers in a sentence, and where it leads. */
export interface FindingText {
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

type Words = (value: (name: string) => number, said: (name: string) => string, step: number) => FindingText;

const words: Readonly<Record<string, Words>> = {
  "job-failed": (_, said) => ({ title: "The newest job failed", text: said("message"), link: "Its last lines" }),
  exceptions: (value, said, step) => ({
    title: `${share(value("share"))} of attempts ended in an exception`,
    text: `${count(value("count"))} at step ${step}${said("type") === "" ? "." : `; ${said("type")} is new.`}`,
    link: "Read them",
  }),
  "no-signal": (value, _, step) => ({
    title: `${share(value("share"))} of groups give no signal`,
    text: `All rewards equal: ${share(value("high"))} too easy, ${share(value("low"))} too hard, at step ${step}.`,
    link: "Which groups",
  }),
  "growing-answers": (value, _, step) => ({
    title: "Answers grow while reward stands still",
    text: `Median ${count(value("from"))} → ${count(value("to"))} tokens since step ${value("since")}; reward ${change(value("change"))}.`,
    link: `Longest at ${step}`,
  }),
  "no-tool": (value) => ({
    title: `${count(value("count"))} rewarded ${value("count") === 1 ? "answer" : "answers"} without a tool call`,
    text: "At least the mean of a group in which half called one.",
    link: "Read them",
  }),
  cut: (value, _, step) => ({
    title: `${share(value("share"))} of answers are cut off`,
    text: `${count(value("count"))} attempts hit the limit of tokens at step ${step}.`,
    link: "Read them",
  }),
  stale: (value) => ({
    title: `${count(value("count"))} attempts of an old policy`,
    text: "They ended with a policy more than two steps behind.",
    link: "Read them",
  }),
  "train-over-val": (value) => ({
    title: "Train runs away from val",
    text: `Their distance went from ${change(value("from"))} to ${change(value("to"))} since step ${value("since")}.`,
    link: "Worst of val",
  }),
  entropy: (value) => ({
    title: "Entropy is nearly gone",
    text: `From ${small(value("from"))} to ${small(value("to"))}: the answers become all the same.`,
    link: "Read them",
  }),
  kl: (value) => ({
    title: "The model moves away fast",
    text: `KL from ${small(value("from"))} to ${small(value("to"))} since step ${value("since")}.`,
    link: "Jobs",
  }),
  single: (value) => ({
    title: "Groups of one teach nothing by comparison",
    text: `${count(value("groups"))} groups have one attempt each.`,
    link: "Which groups",
  }),
  "same-answer": (value) => ({
    title: `${count(value("count"))} attempts say the same`,
    text: "Three or more of a group have the same last answer.",
    link: "Read them",
  }),
};

/** What a finding says. One that this page does not know says its name. */
export function findingText({ rule, values, step }: Finding): FindingText {
  const value = (name: string) => Number(values[name] ?? Number.NaN);
  const said = (name: string) => String(values[name] ?? "");
  return (
    words[rule]?.(value, said, step) ?? { title: rule, text: `At step ${step}, reward ${reward(null)}.`, link: "Look" }
  );
}

/** Where what was found can be read. */
export function findingHref(run: string, { filter }: Finding): string {
  const { page = "rollouts", ...query } = filter;
  return hrefOf(["runs", run, page], query);
}
