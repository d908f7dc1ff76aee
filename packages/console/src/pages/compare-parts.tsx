/** @jsxImportSource preact */
import type { Comparison, TaskValue } from "../api/answers.ts";
import type { ComponentChildren } from "preact";
import { Table } from "../charts/table.tsx";
import { change, count, counted, reward, share, small } from "../format/format.ts";
import { Card, Lazy } from "../parts/card.tsx";
import { Strip } from "../parts/strip.tsx";
import { hrefOf } from "../state/address.ts";
import type { Compared } from "./compare-page.tsx";

type Change = Comparison["changes"][number];

/** A change with its error: `−0.27 ± 0.05`. */
export function withError(value: number | null, error: number | null): string {
  return error === null || value === null ? change(value) : `${change(value)} ± ${reward(error)}`;
}

/** Why an error cannot be estimated, or why a change is not shown. */
const reasons: Readonly<Record<string, string>> = {
  "one-task": "Its error is not shown: only one task is in both.",
  equal: "Its error is not shown: all tasks changed by the same amount, so there is no spread to estimate it from.",
  "no-common-task": "How much of it lies in the same tasks is not shown: no task is in both.",
  "no-reward": "The change is not shown: one of the two has no attempt with a reward.",
  "too-large": "The change or its error is not shown: the rewards are too large to calculate with.",
};

/** How much the reward changed: in the same tasks, and because other tasks were drawn. */
export function Sentences({ data: { items, changes }, labels, isOneRun }: Compared) {
  const [first] = items;
  return changes.map((one, at) => {
    const [from = "", to = ""] = [labels[0], labels[at + 1]];
    return (
      <p key={at} class="sentence card">
        {one.change !== null && <b>{total(one, { from, to, isOneRun })}</b>} {one.same !== null && partsOf(one)}{" "}
        {one.why === "ranges"
          ? `The change is not shown: the rewards of ${[first, items[at + 1]].map((item) => `${item?.name} are from ${reward(item?.range.low)} to ${reward(item?.range.high)}`).join(", and those of ")}.`
          : (reasons[one.why ?? ""] ?? "")}{" "}
        {one.new > 0 && `${counted(one.new, "task")} of ${to} ${one.new === 1 ? "is" : "are"} new. `}
        {one.gone > 0 && `${counted(one.gone, "task")} of ${from} ${one.gone === 1 ? "is" : "are"} not in ${to}.`}
      </p>
    );
  });
}

function total(
  { change, error }: Change,
  { from, to, isOneRun }: { from: string; to: string; isOneRun: boolean },
): string {
  const [value, verb] = [change ?? 0, (change ?? 0) < 0 ? "fell" : "rose"];
  const amount = `${reward(Math.abs(value))}${error === null ? "" : ` ± ${reward(error)}`}`;
  if (isOneRun)
    return value === 0
      ? `Reward is the same at ${from} and ${to}.`
      : `Reward ${verb} by ${amount} from ${from} to ${to.replace("step ", "")}:`;
  return value === 0
    ? `The rewards of ${from} and ${to} are the same.`
    : `Reward is ${value < 0 ? "lower" : "higher"} by ${amount} in ${to} than in ${from}:`;
}

function partsOf({ same, error, mix, mix_error, tasks: m, fell, rose, new: added, gone }: Change): string {
  const all = m + added + gone;
  const inTasks = `${withError(same, error)} in ${m === 1 ? "the same task" : `the same ${count(m)} tasks`}${all > m ? ` (of ${count(all)} in either)` : ""}, of which ${fell} fell and ${rose} rose by more than ${m === 1 ? "its" : "their"} error`;
  if (Math.abs(mix ?? 0) < 1e-9) return `${inTasks}; 0.00 because other tasks were drawn.`;
  const hint = mix_error === null ? " (without its error: a group has one attempt)" : "";
  return `${inTasks}; ${withError(mix, mix_error)}${hint} because other tasks were drawn, or in other numbers.`;
}

/** The tasks by change, those that fell most first. */
export function TaskTable({
  data: { items, tasks: rows, total, split },
  labels,
  at,
}: Compared & { readonly at: number }) {
  const cell = (value: TaskValue | null, place: number, values: readonly (TaskValue | null)[]): ComponentChildren => {
    const item = items[place];
    if (value === null || item === undefined) return <span class="quiet">{place === 0 ? "new" : "not drawn"}</span>;
    const isNoise = value.change === null || Math.abs(value.change) <= (value.error ?? 0);
    return (
      <>
        <Strip {...value} range={item.range} />{" "}
        <a href={hrefOf(["runs", item.run_id, "groups", value.id])}>{reward(value.mean)}</a>{" "}
        {place > 0 && values[0] !== null && (
          <span class={isNoise ? "quiet" : "num"}>{withError(value.change, value.error)}</span>
        )}
        <small>
          {" "}
          {count(value.attempts)} attempts{value.step !== item.step && `, step ${value.step}`}
        </small>
      </>
    );
  };
  return (
    <Card
      id="tasks"
      title="Tasks by change"
      end={total > rows.length ? `the first ${rows.length} of ${count(total)}` : counted(total, "task")}
    >
      {rows.length === 0 ? (
        <p class="empty">No task has attempts here.</p>
      ) : (
        <Table
          label="Tasks by change, those that fell most first"
          columns={["Task", ...labels, "More"]}
          isNumber={() => false}
          at={at}
          rows={rows.map(({ task, name, values }) => {
            const last = values.findLastIndex((value) => value !== null);
            return [
              <a class="said" href={hrefOf(["runs", items[last]?.run_id ?? "", "groups", values[last]?.id ?? ""])}>
                {name}
              </a>,
              ...values.map(cell),
              <a href={hrefOf(["runs", items[last]?.run_id ?? "", "tasks", task], { split })}>Over the steps</a>,
            ];
          })}
        />
      )}
    </Card>
  );
}

const figureNames: Readonly<Record<string, string>> = {
  reward: "Reward",
  exceptions: "Exceptions, share of attempts",
  tokens: "Answer, tokens (median)",
  turns: "Turns (mean)",
  flat: "Groups without signal, share",
};

/** The figures and the settings as differences. Those that are equal are folded. */
export function Differences({ data: { items }, labels }: Compared) {
  const namesOf = (part: "figures" | "settings") => [...new Set(items.flatMap((item) => Object.keys(item[part])))];
  const valuesOf = (name: string) =>
    items.map(({ settings: { [name]: value } }) =>
      typeof value === "string" ? value : (JSON.stringify(value) ?? "–"),
    );
  const isShare = (name: string) => name === "exceptions" || name === "flat";
  const write = (name: string, value: number | null | undefined) => (isShare(name) ? share(value, 1) : small(value));
  const difference = (name: string, [from, to]: readonly (number | null | undefined)[]) => {
    const by = from == null || to == null ? null : to - from;
    if (by === null || !Number.isFinite(by)) return "";
    return by === 0 ? "=" : `${by < 0 ? "−" : "+"}${write(name, Math.abs(by))}`;
  };
  const figures = namesOf("figures");
  const settings = namesOf("settings").map((name) => ({ name, values: valuesOf(name) }));
  const isEqual = ({ values }: { values: readonly string[] }) => new Set(values).size === 1;
  const table = (label: string, rows: readonly (readonly ComponentChildren[])[]) => (
    <Table label={label} columns={["Name", ...labels]} isNumber={(column) => column > 0} rows={rows} />
  );
  const settingRows = (some: typeof settings) =>
    some.map(({ name, values }) => [
      <span class="said">{name}</span>,
      ...values.map((value) => <span class="said">{value}</span>),
    ]);
  const differing = settings.filter((one) => !isEqual(one));
  if (items.length < 2) return null;
  return (
    <>
      <Card id="settings" title="Settings that differ">
        {differing.length === 0 ? (
          <p class="empty">None of the settings and metadata that were logged differs.</p>
        ) : (
          table("The settings that differ", settingRows(differing))
        )}
        <Lazy class="as-table" title={`${count(settings.length - differing.length)} equal settings`}>
          {() => table("The equal settings", settingRows(settings.filter(isEqual)))}
        </Lazy>
      </Card>
      <Card id="figures" title="Figures">
        {table(
          "Figures, with their differences from the first",
          figures.map((name) => [
            <span class="said">
              {figureNames[name] ?? name.replace(/^(metric|training)\./, (_, kind) => `${kind}: `)}
            </span>,
            ...items.map(({ figures: values }, place) => (
              <>
                {write(name, values[name])}{" "}
                {place > 0 && <small>{difference(name, [items[0]?.figures[name], values[name]])}</small>}
              </>
            )),
          ]),
        )}
      </Card>
    </>
  );
}
