import { textOf } from "../../text.ts";
import { isObject } from "@trainyard/core/validation";
import { dialect, type Operation, type Pagination } from "@trainyard/document";
import type { RuleId } from "../../generated/rules.ts";
import type { Values } from "../../request.ts";
import type { LiveService } from "../../service.ts";
import { isPerformed, type Expected, type Run } from "../run.ts";
import type { Exchange } from "../wire.ts";
import { isChangedByOthers } from "./reads.ts";
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
  const read = (size: string, extra: Record<string, string>, tried: string): Promise<Page[]> =>
    walk(run, pagination, ask, { ...(limit && { [limit.name]: size }), ...extra }, limit?.name, tried);
  // A page may be shorter than `limit`, so the whole list may be several pages, too.
  const whole = await read(most, {}, "all at once");
  const one = await read("1", {}, "one at a time");
  await compare(run, whole, one, "in pages of 1, and all at once", () => read(most, {}, "again"));
  const order = operation.parameters.find(
    ({ in: where, schema }) => where === "query" && Array.isArray(schema.node["enum"]),
  );
  const [, other] = Array.isArray(order?.schema.node["enum"]) ? order.schema.node["enum"] : [];
  if (order !== undefined && typeof other === "string") {
    const turn = { [order.name]: other };
    const tried = `${order.name} ${other}`;
    const turned = await read(most, turn, tried);
    const [forward, backward] = [idsOf(whole), idsOf(turned).toReversed()];
    const [last, end] = [whole.at(-1), turned.at(-1)];
    if (last?.hasMore === false && end?.hasMore === false && forward.join() !== backward.join()) {
      if (!isChangedByOthers(forward, backward, idsOf(await read(most, {}, "again"))))
        run.report(end.exchange, {
          pointer: order.pointer,
          says: `\`${order.name}\`: ${order.description}`,
          seen: `${backward.length} items that are not the reverse of the other order`,
        });
    }
    const steps = await read("1", turn, `${tried}, one at a time`);
    await compare(run, turned, steps, `${tried}, in pages of 1 and all at once`, () => read(most, turn, "again"));
  }
  if (whole.length > 0) await askNever(ask, operation, pagination);
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ ids }) => ids);

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
    const rule = (name: string) => {
      const declared = operation?.parameters.find((one) => one.in === "query" && one.name === name);
      return { pointer: declared?.pointer ?? operation?.pointer ?? "#", says: `\`${name}\`: ${declared?.description}` };
    };
    if (limit !== undefined && page.items.length > Number(query[limit]))
      run.report(page.exchange, {
        ...rule(limit),
        seen: `${page.items.length} items for \`${limit}=${query[limit]}\``,
      });
    const twice = page.ids.find((id) => seen.has(id));
    if (twice !== undefined) {
      run.report(page.exchange, { ...rule(pagination.cursor), seen: `an item again after its own cursor (${twice})` });
      break;
    }
    const before = pages.at(-1);
    if (page.items.length === 0 && (page.hasMore === true || before?.hasMore === true)) {
      reportMore(run, page.exchange, pagination, "true, and no items follow");
      break;
    }
    // What follows the last page may have been created meanwhile.
    if (before?.hasMore === false) break;
    pages.push(page);
    for (const id of page.ids) seen.add(id);
    cursor = page.ids.at(-1);
    if (cursor === undefined) break;
  }
  return pages;
}

/** The rule of a cursor which says that an id from elsewhere is invalid. */
const rejectsUnknownIds: RuleId = "cursor-unknown";

/** Checks that a cursor that was never an id of the list is rejected, if the document says so. */
async function askNever(ask: Ask, operation: Operation, pagination: Pagination): Promise<void> {
  const cursor = operation.parameters.find(({ name }) => name === pagination.cursor);
  const refused = operation.responses.get("422") ?? operation.responses.get("400");
  const rule = dialect.rules.read(cursor?.node ?? {}).find(({ id }) => id === rejectsUnknownIds);
  if (cursor === undefined || refused === undefined || rule === undefined) return;
  await ask({ [pagination.cursor]: crypto.randomUUID() }, "after an id that never existed", {
    statuses: [Number(refused.status)],
    pointer: cursor.pointer,
    says: `\`${pagination.cursor}\`: ${rule.text}`,
    basis: rule.basis,
  });
}

/** Compares two readings of a list in pages of different sizes, and reads it again before it reports a difference. */
async function compare(
  run: Run,
  whole: readonly Page[],
  pages: readonly Page[],
  tried: string,
  readAgain: () => Promise<Page[]>,
): Promise<void> {
  const last = pages.at(-1);
  const { operation } = last?.exchange ?? {};
  if (last === undefined || operation?.pagination === undefined) return;
  const isPart = last.hasMore !== false || whole.at(-1)?.hasMore !== false;
  const most = isPart ? Math.min(idsOf(whole).length, idsOf(pages).length) : undefined;
  const [expected, found] = [idsOf(whole).slice(0, most), idsOf(pages).slice(0, most)];
  if (expected.join() === found.join()) return;
  if (isChangedByOthers(expected, found, idsOf(await readAgain()).slice(0, most))) return;
  if (found.length < expected.length && found.every((id, index) => id === expected[index]))
    return reportMore(
      run,
      last.exchange,
      operation.pagination,
      `false after ${found.length} of ${expected.length} items`,
    );
  run.report(last.exchange, {
    pointer: operation.pointer,
    says: "The pages of a list have the same items in the same order, whatever their size.",
    seen: `different items or a different order, ${tried}`,
  });
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
