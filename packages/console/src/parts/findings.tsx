/** @jsxImportSource preact */
import type { Finding } from "@trainyard/local";
import { useState } from "preact/hooks";
import { change, count, share, small } from "../format/format.ts";
import { hrefOf } from "../state/address.ts";
import { Icon } from "./icons.tsx";

type Words = (
  value: (name: string) => number,
  textOf: (name: string) => string,
  step: number,
) => readonly [title: string, text: string, link?: string];

const words: Readonly<Record<string, Words>> = {
  "job-failed": (_, textOf) => ["The newest job failed", textOf("message"), "Its log"],
  exceptions: (value, textOf, step) => [
    `${share(value("share"))} of attempts ended in an exception`,
    `${count(value("count"))} at step ${step}${textOf("type") === "" ? "." : `; ${textOf("type")} is new.`}`,
  ],
  "no-signal": (value, _, step) => [
    `${share(value("share"))} of groups have no signal`,
    `All rewards are equal: ${share(value("high"))} too easy, ${share(value("low"))} too hard, at step ${step}.`,
    "Show the groups",
  ],
  "growing-answers": (value, _, step) => [
    "Answers get longer, but not better",
    `The median went from ${count(value("from"))} to ${count(value("to"))} tokens since step ${value("since")}; the reward changed by ${change(value("change"))}.`,
    `Longest answers at step ${step}`,
  ],
  "no-tool": (value) => [
    `${count(value("count"))} rewarded ${value("count") === 1 ? "answer" : "answers"} without a tool call`,
    "Their reward is at least the mean of a group in which half of the attempts called one.",
  ],
  cut: (value, _, step) => [
    `${share(value("share"))} of answers are cut off`,
    `${count(value("count"))} attempts reached the token limit at step ${step}.`,
  ],
  stale: (value) => [
    `${count(value("count"))} attempts with an old policy`,
    "Their policy was more than two steps old when they ended.",
  ],
  "train-over-val": (value) => [
    "Train and val move apart",
    `Their difference went from ${change(value("from"))} to ${change(value("to"))} since step ${value("since")}.`,
    "Worst attempts of val",
  ],
  entropy: (value) => [
    "The entropy is close to 0",
    `From ${small(value("from"))} to ${small(value("to"))}: all answers become the same.`,
  ],
  kl: (value, textOf) => [
    "The KL grows fast",
    `${textOf("metric") === "kl" ? "KL to the sampler" : "KL to base"} went from ${small(value("from"))} to ${small(value("to"))} since step ${value("since")}.`,
    "Jobs",
  ],
  single: (value) => [
    "Groups of one attempt cannot be compared",
    `${count(value("groups"))} groups have only one attempt.`,
    "Show the groups",
  ],
  "same-answer": (value) => [
    `${count(value("count"))} attempts give the same answer`,
    "Three or more attempts of a group have the same last answer.",
  ],
};

/** The title of a finding, a sentence with its numbers, and the text of its link. For an unknown rule, the rule's name. */
export function findingText({ rule, values, step }: Finding) {
  const value = (name: string) => Number(values[name] ?? Number.NaN);
  const textOf = (name: string) => String(values[name] ?? "");
  const [title, text, link = "Read them"] = words[rule]?.(value, textOf, step) ?? [rule, `At step ${step}.`, "Show it"];
  return { title, text, link };
}

/** The number of findings that are shown at once. */
const most = 3;

const severities = ["failure", "warning"] as const;

/** The findings, each with a link. A dismissed finding stays dismissed for the run, in this browser. */
export function Findings({ run, findings }: { readonly run: string; readonly findings: readonly Finding[] }) {
  const kept = `trainyard-console-dismissed-${run}`;
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(kept) ?? "");
  const shown = findings.filter(({ rule }) => !dismissed.split(",").includes(rule)).slice(0, most);
  if (shown.length === 0) return null;
  const dismiss = (rule: string) => {
    localStorage.setItem(kept, `${dismissed},${rule}`);
    setDismissed(`${dismissed},${rule}`);
  };
  return (
    <section class="found card">
      <ul class="notes" aria-label="Findings">
        {shown.map((finding) => {
          const { title, text, link } = findingText(finding);
          const { page = "rollouts", ...query } = finding.filter;
          return (
            <li key={finding.rule} class={finding.severity}>
              <Icon name={severities.find((one) => one === finding.severity) ?? "note"} />
              <b>{title}</b>
              <p>
                {text} <a href={hrefOf(["runs", run, page], query)}>{link}</a>
              </p>
              <button
                type="button"
                class="close"
                aria-label={`Dismiss: ${title}`}
                onClick={() => dismiss(finding.rule)}
              >
                <Icon name="close" size={12} />
              </button>
            </li>
          );
        })}
      </ul>
      <p class="foot">
        Rules look at failed jobs, exceptions, groups, answers, tool calls, old policies, the gap between train and val,
        entropy and KL; none looks at a falling reward.
      </p>
    </section>
  );
}
