import { isObject } from "@trainyard/core/validation";
import { dialect, responseOf, type Operation, type Pagination } from "@trainyard/document";
import type { RuleId } from "../../generated/rules.ts";
import { textOf } from "../../text.ts";
import { send, type Expected, type Target } from "../run.ts";
import { isPerformed, type Exchange } from "../wire.ts";
import { isChangedByOthers } from "./reads.ts";
import { pathsOf } from "./requests.ts";
import { queryOf } from "./values.ts";

/** The maximum number of pages to follow in one list. */
const mostPages = 12;

interface Page {
  readonly exchange: Exchange;
  readonly length: number;
  readonly ids: readonly string[];
  readonly hasMore: unknown;
}

/** Follows lists page by page, in each order and with different page sizes: the items must be the same. */
export async function followPages(target: Target): Promise<void> {
  const { pagination, method } = target.operation;
  if (pagination === undefined || method !== "GET") return;
  for (const path of pathsOf(target, 3)) await new List(target, pagination, path).follow();
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ ids }) => ids);

/** The rule of a cursor which says that an id from elsewhere is invalid. */
const rejectsUnknownIds: RuleId = "cursor-unknown";

/** One list. */
class List {
  readonly #target: Target;
  readonly #pagination: Pagination;
  readonly #path: Readonly<Record<string, string>>;
  readonly #query: ReturnType<typeof queryOf>;

  constructor(target: Target, pagination: Pagination, path: Readonly<Record<string, string>>) {
    this.#target = target;
    this.#pagination = pagination;
    this.#path = path;
    this.#query = queryOf(target);
  }

  async follow(): Promise<void> {
    const { run, operation } = this.#target;
    // A page may be shorter than `limit`, so the whole list may be several pages, too.
    const whole = await this.#walk(false, {}, "all at once");
    const one = await this.#walk(true, {}, "one at a time");
    await this.#compare(whole, one, "in pages of 1, and all at once", {});
    const order = operation.parameters.find(
      ({ in: where, schema }) => where === "query" && Array.isArray(schema.node["enum"]),
    );
    const [, other] = [order?.schema.node["enum"] ?? []].flat();
    if (order !== undefined && typeof other === "string") {
      const turn = { [order.name]: other };
      const tried = `${order.name} ${other}`;
      const turned = await this.#walk(false, turn, tried);
      const [forward, backward] = [idsOf(whole), idsOf(turned).toReversed()];
      const end = turned.at(-1);
      if (whole.at(-1)?.hasMore === false && end?.hasMore === false && forward.join() !== backward.join()) {
        const seen = `${backward.length} items that are not the reverse of the other order`;
        if (!isChangedByOthers(forward, backward, idsOf(await this.#walk(false, {}, "again"))))
          run.report(end.exchange, { ...this.#rule(order.name), seen });
      }
      const steps = await this.#walk(true, turn, `${tried}, one at a time`);
      await this.#compare(turned, steps, `${tried}, in pages of 1 and all at once`, turn);
    }
    if (whole.length > 0) await this.#askNever(operation);
  }

  async #ask(extra: Readonly<Record<string, string>>, tried: string, expected?: Expected): Promise<Page | undefined> {
    const values = { path: this.#path, query: { ...this.#query, ...extra } };
    const exchange = await send(this.#target, values, tried, expected);
    const body = exchange.answer.json?.value;
    if (!isPerformed(exchange) || !isObject(body)) return undefined;
    const items = (Object.values(body).find(Array.isArray) ?? []).filter(isObject);
    const ids = items.map((one) => one[this.#pagination.item]).filter((id) => typeof id === "string");
    return { exchange, length: items.length, ids, hasMore: body[this.#pagination.more] };
  }

  /** Follows the list by its cursor to the end, in pages of 1 or as large as possible, and checks each page against its request. */
  async #walk(isByOne: boolean, query: Readonly<Record<string, string>>, tried: string): Promise<Page[]> {
    const { run, operation } = this.#target;
    const { cursor } = this.#pagination;
    const limit = operation.parameters.find(({ in: where, name }) => where === "query" && name === "limit");
    const size = isByOne ? "1" : textOf(limit?.schema.node["maximum"] ?? 100);
    const asked = { ...(limit && { limit: size }), ...query };
    const pages: Page[] = [];
    let after: string | undefined;
    while (pages.length < mostPages) {
      const page = await this.#ask({ ...asked, ...(after !== undefined && { [cursor]: after }) }, tried);
      if (page === undefined) break;
      const { exchange, ids, length } = page;
      if (limit !== undefined && length > Number(size))
        run.report(exchange, { ...this.#rule("limit"), seen: `${length} items for \`limit=${size}\`` });
      const before = idsOf(pages);
      const twice = ids.find((id) => before.includes(id));
      if (twice !== undefined) {
        run.report(exchange, { ...this.#rule(cursor), seen: `an item again after its own cursor (${twice})` });
        break;
      }
      const last = pages.at(-1)?.hasMore;
      if (length === 0 && (page.hasMore === true || last === true)) {
        this.#reportMore(exchange, "true, and no items follow");
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
  async #askNever(operation: Operation): Promise<void> {
    const { cursor } = this.#pagination;
    const parameter = operation.parameters.find(({ name }) => name === cursor);
    const refused = responseOf(operation, 422) ?? responseOf(operation, 400);
    const rule = dialect.rules.read(parameter?.node ?? {}).find(({ id }) => id === rejectsUnknownIds);
    if (parameter === undefined || refused === undefined || rule === undefined) return;
    const { basis, text } = rule;
    const says = `\`${cursor}\`: ${text}`;
    const expected = { statuses: [Number(refused.status)], pointer: parameter.pointer, says, basis };
    await this.#ask({ [cursor]: crypto.randomUUID() }, "after an id that never existed", expected);
  }

  /** Compares readings of the list in pages of different sizes, and reads it again before it reports a difference. */
  async #compare(whole: readonly Page[], pages: readonly Page[], tried: string, query: Record<string, string>) {
    const last = pages.at(-1);
    if (last === undefined) return;
    const isPart = last.hasMore !== false || whole.at(-1)?.hasMore !== false;
    const most = isPart ? Math.min(idsOf(whole).length, idsOf(pages).length) : undefined;
    const [expected, found] = [idsOf(whole).slice(0, most), idsOf(pages).slice(0, most)];
    if (expected.join() === found.join()) return;
    if (isChangedByOthers(expected, found, idsOf(await this.#walk(false, query, "again")).slice(0, most))) return;
    if (found.length < expected.length && found.every((id, index) => id === expected[index]))
      return this.#reportMore(last.exchange, `false after ${found.length} of ${expected.length} items`);
    const says = "The pages of a list have the same items in the same order, whatever their size.";
    const seen = `different items or a different order, ${tried}`;
    this.#target.run.report(last.exchange, { pointer: this.#target.operation.pointer, says, seen });
  }

  #rule(name: string): { pointer: string; says: string } {
    const { parameters, pointer } = this.#target.operation;
    const declared = parameters.find((one) => one.in === "query" && one.name === name);
    return { pointer: declared?.pointer ?? pointer, says: `\`${name}\`: ${declared?.description}` };
  }

  #reportMore(exchange: Exchange, seen: string): void {
    const { run, operation } = this.#target;
    const { more } = this.#pagination;
    const schema = [...(responseOf(operation, 200)?.content.values() ?? [])][0]?.schema;
    const pointer = schema === undefined ? operation.pointer : `${schema.pointer}/properties/${more}`;
    run.report(exchange, { pointer, says: `\`${more}\` says whether more items follow.`, seen: `${more} ${seen}` });
  }
}
