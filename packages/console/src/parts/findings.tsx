/** @jsxImportSource preact */
import type { Finding } from "@trainyard/local";
import { useState } from "preact/hooks";
import { findingHref, findingText } from "./finding-text.ts";
import { Icon } from "./icons.tsx";

/** The number of findings that are shown at once. */
const most = 3;

const severities = ["failure", "warning"] as const;

/** The findings, each with a link. A dismissed finding stays dismissed for the run, in this browser. */
export function Findings({ run, findings }: { readonly run: string; readonly findings: readonly Finding[] }) {
  const kept = `trainyard-console-dismissed-${run}`;
  const [dismissed, setDismissed] = useState(() => new Set((localStorage.getItem(kept) ?? "").split(",")));
  const shown = findings.filter(({ rule }) => !dismissed.has(rule)).slice(0, most);
  if (shown.length === 0) return null;
  const dismiss = (rule: string) => {
    const next = new Set([...dismissed, rule]);
    localStorage.setItem(kept, [...next].join(","));
    setDismissed(next);
  };
  return (
    <section class="found card">
      <ul class="notes" aria-label="Findings">
        {shown.map((finding) => {
          const { title, text, link } = findingText(finding);
          return (
            <li key={finding.rule} class={finding.severity}>
              <Icon name={severities.find((one) => one === finding.severity) ?? "note"} />
              <b>{title}</b>
              <p>
                {text} <a href={findingHref(run, finding)}>{link}</a>
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
