import { isObject, type JsonObject } from "@trainyard/core/validation";
import { jsonOf, locateIn, type Operation } from "@trainyard/document";
import type { LiveService } from "../../service.ts";
import { excerpt } from "../judge-answer.ts";
import { isPerformed, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { shownRequests } from "./requests.ts";

/** Bucket sizes in seconds that divide a day. */
const sizes = [21_600, 3600];

/** Requests one window in buckets of different sizes: their counts must add up to the same number of rows. */
export async function trySums(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const [shown] = shownRequests(run, operation, {});
  const body = shown?.values.body;
  if (!operation.safe || !isObject(body) || !("metrics" in body) || !("start" in body) || !("end" in body)) return;
  const { names, pointer } = numericAggregations(service, operation);
  const metrics = [
    { json_path: "output.score", aggregations: names, percentiles: [0, 50, 100] },
    { json_path: "output.correct", value_type: "boolean" },
  ];
  const found: [Exchange, number][] = [];
  for (const granularity of sizes) {
    const values = { body: { ...body, metrics, granularity, timezone: "UTC" } };
    const exchange = await run.send(service, operation, values, { tried: `in buckets of ${granularity} s` });
    const value = exchange.answer.json?.value;
    if (isPerformed(exchange) && isObject(value)) found.push([exchange, total(value)]);
    if ([400, 422].includes(exchange.answer.status))
      run.report(exchange, {
        pointer,
        says: "The service supports each aggregation that the document lists.",
        seen: `status ${exchange.answer.status}${excerpt(exchange)}`,
      });
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined && first[1] !== second[1])
    run.report(second[0], {
      pointer: `${schemaPointer(operation)}/properties/buckets`,
      says: "`count` is the number of feedback rows in a bucket: with any bucket size, the counts add up to the same number.",
      seen: `${first[1]} rows in buckets of ${sizes[0]} s, ${second[1]} in buckets of ${sizes[1]} s`,
    });
  const start = body["start"];
  await run.send(
    service,
    operation,
    { body: { ...body, metrics, end: start } },
    { tried: "an end equal to the start" },
  );
  await run.send(service, operation, { body: { ...body, metrics: [] } }, { tried: "no metrics" });
}

/** The aggregations that the document lists for numbers: all except those for booleans, which start with `count_`. */
function numericAggregations(
  { document: { root } }: LiveService,
  { body, pointer }: Operation,
): { names: string[]; pointer: string } {
  const schema = body && jsonOf(body.content)?.schema;
  if (schema === undefined) return { names: [], pointer };
  const metric = locateIn(root, schema, "properties", "metrics", "items");
  const items = locateIn(root, metric, "properties", "aggregations", "items");
  const listed = Array.isArray(items.node["enum"]) ? items.node["enum"].map(String) : [];
  return { names: listed.filter((name) => !name.startsWith("count_")), pointer: items.pointer };
}

function total({ buckets }: JsonObject): number {
  return (Array.isArray(buckets) ? buckets : []).filter(isObject).reduce((sum, { count }) => sum + Number(count), 0);
}

function schemaPointer({ responses, pointer }: Operation): string {
  return [...(responses.get("200")?.content.values() ?? [])][0]?.schema?.pointer ?? pointer;
}
