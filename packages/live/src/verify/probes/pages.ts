import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import type { Operation, Pagination } from "@trainyard/document";
import type { Values } from "../../request.ts";
import type { LiveService } from "../../service.ts";
import { isPerformed, type Expected, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { pathsOf, queryOf } from "./requests.ts";

/** The maximum number of pages to follow in one list. */
const mostPages = 12;

interface Page {
  readonly exchange: Exchange;
  readonly items: readonly Record<string, unknown>[];
  readonly ids: readonly string[];
  readonly hasMore: unknown;
}

/** Follows lists page by page, in each order and with different page sizes: the items must be the same. */
export async function followPages(run: Run, service: LiveService, operation: Operation): Promise<void> {
  const { pagination } = operation;
  if (pagination === undefined || operation.method !== "GET") return;
  for (const path of pathsOf(run, service, operation, 3)) await followList(run, service, operation, pagination, path);
}

async function followList(
  run: Run,
  service: LiveService,
  operation: Operation,
  pagination: Pagination,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const query = queryOf(run, operation);
  const ask = async (extra: Record<string, string>, tried: string, expected?: Expected): Promise<Page | undefined> => {
    const values: Values = { path, query: { ...query, ...extra } };
    const exchange = await run.send(service, operation, values, { tried, ...(expected && { expected }) });
    return isPerformed(exchange) ? pageOf(exchange, pagination) : undefined;
  };
  const limit = operation.parameters.find(({ in: where, name }) => where === "query" && name === "limit");
  const most = textOf(limit?.schema.node["maximum"] ?? 100);
  const limited = (size: string): Record<string, string> => (limit === undefined ? {} : { [limit.name]: size });

  const whole = await ask(limited(most), "all at once");
  if (whole === undefined) return;
  judgeEnd(run, whole, pagination);
  if (whole.hasMore === false) await askBehind(ask, run, whole, pagination, "the last");
  const one = await walk(run, pagination, ask, limited("1"), limit?.name, "one at a time");
  compare(run, whole, one, `in pages of 1, and all at once`);
  const order = operation.parameters.find(
    ({ in: where, schema }) => where === "query" && Array.isArray(schema.node["enum"]),
  );
  const [, other] = Array.isArray(order?.schema.node["enum"]) ? order.schema.node["enum"] : [];
  if (order !== undefined && typeof other === "string") {
    const turned = await ask({ ...limited(most), [order.name]: other }, `${order.name} ${other}`);
    const says = `\`${order.name}\`: ${order.description}`;
    if (turned !== undefined && whole.hasMore === false && turned.ids.join() !== whole.ids.toReversed().join())
      run.report(turned.exchange, {
        pointer: order.pointer,
        says,
        seen: `${turned.ids.length} items that are not the reverse of the other order`,
      });
    const steps = await walk(
      run,
      pagination,
      ask,
      { ...limited("1"), [order.name]: other },
      limit?.name,
      `${order.name} ${other}, one at a time`,
    );
    if (turned !== undefined) compare(run, turned, steps, `${order.name} ${other}, in pages of 1 and all at once`);
  }
  if (whole.exchange.service.document.operations.includes(operation)) await askNever(ask, operation, pagination);
}

type Ask = (extra: Record<string, string>, tried: string, expected?: Expected) => Promise<Page | undefined>;

/** Follows a list by its cursor to the end, and checks each page against its request. */
async function walk(
  run: Run,
  pagination: Pagination,
  ask: Ask,
  query: Record<string, string>,
  limit: string | undefined,
  tried: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < mostPages) {
    const page = await ask({ ...query, ...(cursor !== undefined && { [pagination.cursor]: cursor }) }, tried);
    if (page === undefined) break;
    const { operation } = page.exchange;
    const parameter = (name: string) => operation?.parameters.find((one) => one.in === "query" && one.name === name);
    const size = Number(limit === undefined ? Number.POSITIVE_INFINITY : query[limit]);
    if (page.items.length > size) {
      const declared = parameter(limit ?? "");
      run.report(page.exchange, {
        pointer: declared?.pointer ?? operation?.pointer ?? "#",
        says: `\`${limit}\`: ${declared?.description}`,
        seen: `${page.items.length} items for \`${limit}=${size}\``,
      });
    }
    const twice = page.ids.find((id) => seen.has(id));
    if (twice !== undefined) {
      const declared = parameter(pagination.cursor);
      run.report(page.exchange, {
        pointer: declared?.pointer ?? operation?.pointer ?? "#",
        says: `\`${pagination.cursor}\`: ${declared?.description}`,
        seen: `an item again after its own cursor (${twice})`,
      });
      break;
    }
    if (pages.length > 0 && pages.at(-1)?.hasMore === true && page.items.length === 0) {
      reportMore(run, page.exchange, pagination, "true on the last page");
      break;
    }
    pages.push(page);
    for (const id of page.ids) seen.add(id);
    cursor = page.ids.at(-1);
    if (page.hasMore !== true || cursor === undefined) break;
  }
  return pages;
}

function judgeEnd(run: Run, page: Page, pagination: Pagination): void {
  if (page.items.length === 0 && page.hasMore === true)
    reportMore(run, page.exchange, pagination, "true on a page without items");
}

/** Checks that no item follows the last one. */
async function askBehind(ask: Ask, run: Run, page: Page, pagination: Pagination, what: string): Promise<void> {
  const last = page.ids.at(-1);
  if (last === undefined) return;
  const behind = await ask({ [pagination.cursor]: last }, `after ${what}`);
  if (behind === undefined) return;
  if (behind.ids.some((id) => page.ids.includes(id))) {
    const cursor = behind.exchange.operation?.parameters.find(({ name }) => name === pagination.cursor);
    run.report(behind.exchange, {
      pointer: cursor?.pointer ?? "#",
      says: `\`${pagination.cursor}\`: ${cursor?.description}`,
      seen: "an item again after its own cursor",
    });
  } else if (behind.items.length === 0 && behind.hasMore === true)
    reportMore(run, behind.exchange, pagination, "true on a page without items");
}

/** The part of a cursor's description which says that an id from elsewhere is invalid. */
export const rejectsUnknownIds: RegExp = /never in this list is invalid/;

/** Checks that a cursor that was never an id of the list is rejected, if the document says so. */
async function askNever(ask: Ask, operation: Operation, pagination: Pagination): Promise<void> {
  const cursor = operation.parameters.find(({ name }) => name === pagination.cursor);
  const refused = operation.responses.get("422") ?? operation.responses.get("400");
  if (cursor === undefined || refused === undefined || !rejectsUnknownIds.test(cursor.description)) return;
  await ask({ [pagination.cursor]: crypto.randomUUID() }, "after an id that never existed", {
    statuses: [Number(refused.status)],
    pointer: cursor.pointer,
    says: `\`${pagination.cursor}\`: ${cursor.description}`,
  });
}

function compare(run: Run, whole: Page, pages: readonly Page[], tried: string): void {
  const last = pages.at(-1);
  const { pagination } = whole.exchange.operation ?? {};
  if (last === undefined || pagination === undefined) return;
  const walked = pages.flatMap(({ ids }) => ids);
  const expected = whole.ids.slice(0, walked.length);
  if (walked.join() !== expected.join()) {
    run.report(last.exchange, {
      pointer: whole.exchange.operation?.pointer ?? "#",
      says: "The pages of a list have the same items in the same order, whatever their size.",
      seen: `different items or a different order, ${tried}`,
    });
  } else if (last.hasMore === false && walked.length < whole.ids.length)
    reportMore(run, last.exchange, pagination, `false after ${walked.length} of ${whole.ids.length} items`);
}

function reportMore(run: Run, exchange: Exchange, { more }: Pagination, seen: string): void {
  run.report(exchange, {
    pointer: morePointer(exchange, more),
    says: `\`${more}\` says whether more items follow.`,
    seen: `${more} ${seen}`,
  });
}

function morePointer({ operation }: Exchange, flag: string): string {
  const schema = [...(operation?.responses.get("200")?.content.values() ?? [])][0]?.schema;
  return schema === undefined ? (operation?.pointer ?? "#") : `${schema.pointer}/properties/${flag}`;
}

function pageOf(exchange: Exchange, { item, more }: Pagination): Page | undefined {
  const body = exchange.answer.json?.value;
  if (!isObject(body)) return undefined;
  const list = Object.values(body).find(Array.isArray) ?? [];
  const items = list.filter(isObject);
  const ids = items.map((one) => one[item]).filter((id) => typeof id === "string");
  return { exchange, items, ids, hasMore: body[more] };
}
