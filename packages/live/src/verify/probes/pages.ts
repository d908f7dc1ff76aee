import { isObject } from "@trainyard/core/validation";
import { responseOf, type Pagination } from "@trainyard/document";
import { textOf } from "../../text.ts";
import { send, type Expected, type Target } from "../run.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { ruleOf } from "../rules/rule.ts";
import { isChangedByOthers } from "./reads.ts";
import { pathsOf, queryOf } from "./requests.ts";

const mostPages = 12;

type Page = NonNullable<Awaited<ReturnType<typeof ask>>>;

/** Follows lists page by page, in each order and with different page sizes: the items must be the same. */
export async function followPages(target: Target): Promise<void> {
  const { pagination, method } = target.operation;
  if (pagination === undefined || method !== "GET") return;
  for (const path of pathsOf(target, 3)) await follow({ ...target, pagination, path, query: queryOf(target) });
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ ids }) => ids);

interface List extends Target {
  readonly pagination: Pagination;
  readonly path: Readonly<Record<string, string>>;
  readonly query: ReturnType<typeof queryOf>;
}

async function follow(list: List): Promise<void> {
  const { run, operation } = list;
  // A page may be shorter than `limit`, so the whole list may be several pages, too.
  const whole = await walk(list, false, {}, "all at once");
  const one = await walk(list, true, {}, "one at a time");
  await compare(list, whole, one, "in pages of 1, and all at once", {});
  const order = operation.parameters.find(
    ({ in: where, schema }) => where === "query" && Array.isArray(schema.node["enum"]),
  );
  const [, other] = [order?.schema.node["enum"] ?? []].flat();
  if (order !== undefined && typeof other === "string") {
    const turn = { [order.name]: other };
    const tried = `${order.name} ${other}`;
    const turned = await walk(list, false, turn, tried);
    const [forward, backward] = [idsOf(whole), idsOf(turned).toReversed()];
    const end = turned.at(-1);
    if (whole.at(-1)?.hasMore === false && end?.hasMore === false && forward.join() !== backward.join()) {
      const seen = `${backward.length} items that are not the reverse of the other order`;
      if (!isChangedByOthers(forward, backward, idsOf(await walk(list, false, {}, "again"))))
        run.report(end.exchange, { ...rule(list, order.name), seen });
    }
    const steps = await walk(list, true, turn, `${tried}, one at a time`);
    await compare(list, turned, steps, `${tried}, in pages of 1 and all at once`, turn);
  }
  if (whole.length > 0) await askNever(list);
}

type Query = Readonly<Record<string, string>>;

async function ask(list: List, extra: Query, tried: string, expected?: Expected) {
  const { path, query, pagination } = list;
  const exchange = await send(list, { path, query: { ...query, ...extra } }, tried, expected);
  const body = exchange.answer.json?.value;
  if (!isPerformed(exchange) || !isObject(body)) return undefined;
  const items = (Object.values(body).find(Array.isArray) ?? []).filter(isObject);
  const ids: readonly string[] = items.map((one) => one[pagination.item]).filter((id) => typeof id === "string");
  return { exchange, length: items.length, ids, hasMore: body[pagination.more] };
}

/** Follows the list by its cursor to the end, in pages of 1 or as large as possible, and checks each page against its request. */
async function walk(list: List, isByOne: boolean, query: Query, tried: string): Promise<Page[]> {
  const { run, operation } = list;
  const { cursor } = list.pagination;
  const limit = operation.parameters.find(({ in: where, name }) => where === "query" && name === "limit");
  const size = isByOne ? "1" : textOf(limit?.schema.node["maximum"] ?? 100);
  const asked = { ...(limit && { limit: size }), ...query };
  const pages: Page[] = [];
  let after: string | undefined;
  while (pages.length < mostPages) {
    const page = await ask(list, { ...asked, ...(after !== undefined && { [cursor]: after }) }, tried);
    if (page === undefined) break;
    const { exchange, ids, length } = page;
    if (limit !== undefined && length > Number(size))
      run.report(exchange, { ...rule(list, "limit"), seen: `${length} items for \`limit=${size}\`` });
    const before = idsOf(pages);
    const twice = ids.find((id) => before.includes(id));
    if (twice !== undefined) {
      run.report(exchange, { ...rule(list, cursor), seen: `an item again after its own cursor (${twice})` });
      break;
    }
    const last = pages.at(-1)?.hasMore;
    if (length === 0 && (page.hasMore === true || last === true)) {
      reportMore(list, exchange, "true, and no items follow");
      break;
    }
    // What follows the last page may have been created meanwhile.
    if (last === false) break;
    pages.push(page);
    after = ids.at(-1);
    if (after === undefined) break;
  }
  return pages;
}

/** Checks that a cursor that was never an id of the list is rejected, if the document says so. */
async function askNever(list: List): Promise<void> {
  const { operation } = list;
  const { cursor } = list.pagination;
  const parameter = operation.parameters.find(({ name }) => name === cursor);
  const refused = responseOf(operation, 422) ?? responseOf(operation, 400);
  const never = ruleOf(parameter?.node, "cursor-unknown");
  if (parameter === undefined || refused === undefined || never === undefined) return;
  const { basis, text } = never;
  const says = `\`${cursor}\`: ${text}`;
  const expected = { statuses: [Number(refused.status)], pointer: parameter.pointer, says, basis };
  await ask(list, { [cursor]: crypto.randomUUID() }, "after an id that never existed", expected);
}

/** Compares readings of the list in pages of different sizes, and reads it again before it reports a difference. */
async function compare(list: List, whole: readonly Page[], pages: readonly Page[], tried: string, query: Query) {
  const last = pages.at(-1);
  if (last === undefined) return;
  const isPart = last.hasMore !== false || whole.at(-1)?.hasMore !== false;
  const most = isPart ? Math.min(idsOf(whole).length, idsOf(pages).length) : undefined;
  const [expected, found] = [idsOf(whole).slice(0, most), idsOf(pages).slice(0, most)];
  if (expected.join() === found.join()) return;
  if (isChangedByOthers(expected, found, idsOf(await walk(list, false, query, "again")).slice(0, most))) return;
  if (found.length < expected.length && found.every((id, index) => id === expected[index]))
    return reportMore(list, last.exchange, `false after ${found.length} of ${expected.length} items`);
  const says = "The pages of a list have the same items in the same order, whatever their size.";
  const seen = `different items or a different order, ${tried}`;
  list.run.report(last.exchange, { pointer: list.operation.pointer, says, seen });
}

function rule({ operation }: List, name: string): { pointer: string; says: string } {
  const declared = operation.parameters.find((one) => one.in === "query" && one.name === name);
  return { pointer: declared?.pointer ?? operation.pointer, says: `\`${name}\`: ${declared?.description}` };
}

function reportMore({ run, operation, pagination }: List, exchange: Exchange, seen: string): void {
  const { more } = pagination;
  const schema = [...(responseOf(operation, 200)?.content.values() ?? [])][0]?.schema;
  const pointer = schema === undefined ? operation.pointer : `${schema.pointer}/properties/${more}`;
  run.report(exchange, { pointer, says: `\`${more}\` says whether more items follow.`, seen: `${more} ${seen}` });
}
