import { isObject } from "@trainyard/core/validation";
import { bodyOf } from "../store/commands/logs.ts";
import { bytes, text } from "../store/row.ts";
import { listOf } from "./attempt-facts.ts";
import type { ConsoleContext, RunKey } from "./context.ts";

/** The body that was parsed last, as long as memory allows: groups of one log are often read one after the other. */
let last: { readonly name: string; readonly body: WeakRef<object> } | undefined;

/** The group as it was sent: `<seq>.<place>` of a log, with `j` in front for a job. */
export function rawGroup(context: ConsoleContext, run: RunKey, groupId: string): Record<string, unknown> {
  const [, source = "", place] = /^(j?\d+)\.(\d+)$/.exec(groupId) ?? [];
  const name = `${run.id} ${source}`;
  const body = (last?.name === name && last.body.deref()) || readBody(context, run, source);
  if (!isObject(body)) return {};
  last = { name, body: new WeakRef(body) };
  const group = listOf(body["trajectory_groups"])[Number(place)];
  return isObject(group) ? group : {};
}

function readBody({ data }: ConsoleContext, { id }: RunKey, source: string): unknown {
  const isJob = source.startsWith("j");
  const params = { id, seq: Number(source.replace("j", "")) };
  const row = isJob
    ? data.get("select request as body from jobs where model_id = :id and seq = :seq", params)
    : data.get("select body from logs where model_id = :id and seq = :seq", params);
  return row && JSON.parse(isJob ? text(row, "body") : bodyOf(bytes(row, "body")));
}
