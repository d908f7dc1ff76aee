import { isObject } from "@trainyard/core/validation";
import { locateIn, responseOf } from "@trainyard/document";
import { bodyMedia } from "../../request.ts";
import { textOf } from "../../text.ts";
import { excerpt } from "../judge-answer.ts";
import { objectsIn } from "../rules/rule.ts";
import { send, type Target } from "../run.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { refusal, shownRequests } from "./requests.ts";

/** Bucket sizes in seconds that divide a day, each with a time zone: in the second one, days and hours start at half past. */
const sizes = [
  [21_600, "UTC"],
  [3600, "Asia/Kolkata"],
] as const;

/** Requests one window in buckets of different sizes: their counts must add up to the same number of rows. */
export async function trySums(target: Target): Promise<void> {
  const { run, service, operation } = target;
  const shown = shownRequests(target, {})[0]?.values.body;
  const schema = bodyMedia(operation)?.schema;
  if (!operation.safe || schema === undefined || !isObject(shown)) return;
  if (!("metrics" in shown) || !("start" in shown) || !("end" in shown)) return;
  // Without the filters of the example, more rows have values.
  const { feedback_type: _type, trigger_ref: _trigger, ...body } = shown;
  const { root } = service.document;
  const metric = locateIn(root, schema, "properties", "metrics", "items");
  const { node, pointer } = locateIn(root, metric, "properties", "aggregations", "items");
  // The aggregations for numbers are all except those for booleans, which start with `count_`.
  const all = [node["enum"] ?? []].flat().map(String);
  const aggregations = all.filter((name) => !name.startsWith("count_"));
  const metrics = [
    { json_path: "output.score", aggregations, percentiles: [0, 50, 100] },
    { json_path: "output.correct", value_type: "boolean" },
  ];
  let before: number | undefined;
  for (const [granularity, timezone] of sizes) {
    const values = { body: { ...body, metrics, granularity, timezone } };
    const exchange = await send(target, values, `in buckets of ${granularity} s`);
    const { status, json } = exchange.answer;
    if (status === 400 || status === 422) {
      const says = "The service supports each aggregation that the document lists.";
      run.report(exchange, { pointer, says, seen: `status ${status}${excerpt(exchange)}`, isAdopted: true });
    }
    if (!isPerformed(exchange) || !isObject(json?.value)) continue;
    const rows = rowsOf(exchange);
    const answered = [...(responseOf(operation, 200)?.content.values() ?? [])][0]?.schema ?? operation;
    if (before !== undefined && before !== rows)
      run.report(exchange, {
        pointer: `${answered.pointer}/properties/buckets`,
        says: "`count` is the number of feedback rows in a bucket: with any bucket size, the counts add up to the same number.",
        seen: `${before} rows in buckets of ${sizes[0][0]} s, ${rows} in buckets of ${granularity} s`,
        isAdopted: true,
      });
    before ??= rows;
  }
  for (const name of ["feedback_type", "trigger_ref"]) {
    const { node, pointer } = locateIn(root, schema, "properties", name);
    const values = { body: { ...body, metrics, [name]: run.own } };
    const exchange = await send(target, values, `a ${name} that does not exist`);
    const rows = isPerformed(exchange) ? rowsOf(exchange) : 0;
    if (rows > 0)
      run.report(exchange, { pointer, says: `\`${name}\`: ${textOf(node["description"])}`, seen: `${rows} rows` });
  }
  await send(target, { body: { ...body, metrics, end: body["start"] } }, "an end equal to the start");
  await send(target, { body: { ...body, metrics: [] } }, "no metrics");
  const later = new Date(Date.parse(textOf(body["start"])) + 32 * 86_400_000);
  for (const [tried, changed] of Object.entries({
    "an end before the start": { end: "1970-01-01T00:00:00Z" },
    "a time zone that does not exist": { timezone: "Verify/None" },
    "a window of 32 days": { end: later },
  }))
    await send(target, { body: { ...body, metrics, ...changed } }, tried, {
      ...refusal(operation, 422),
      isAdopted: true,
    });
}

function rowsOf({ answer }: Exchange): number {
  return objectsIn(Object(answer.json?.value).buckets).reduce((sum, { count }) => sum + Number(count), 0);
}
