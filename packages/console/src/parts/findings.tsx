/** @jsxImportSource preact */
import type { Finding } from "@trainyard/local";
import { useState } from "preact/hooks";
import { hrefOf } from "../state/address.ts";
import { Icon } from "./icons.tsx";

/** The name of a rule as a title: `reward-fell` is "Reward fell". */
export function titleOf(rule: string): string {
  return rule.charAt(0).toUpperCase() + rule.slice(1).replaceAll("-", " ");
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
          const title = titleOf(finding.rule);
          const { page = "rollouts", ...query } = finding.filter;
          return (
            <li key={finding.rule} class={finding.severity}>
              <Icon name={severities.find((one) => one === finding.severity) ?? "note"} />
              <b>{title}</b>
              <p>
                {finding.text}{" "}
                <a href={hrefOf(["runs", run, page], query)}>Show {page === "rollouts" ? "attempts" : page}</a>
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
        Simple rules compare the last two steps with those before. What they cannot know, such as whether a reward means
        what you want, they do not say.
      </p>
    </section>
  );
}
