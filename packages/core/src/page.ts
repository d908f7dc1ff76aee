import type { ApiPromise, Page, PagePromise } from "./result.ts";
import type { Pagination } from "./operation.ts";

/** The body of a page, as far as paging reads it. */
export interface PageBody<Item> {
  data: Item[];
}

/** Makes a list out of what fetches one page of it, from a cursor or from the start. */
export function pagesOf<Item>(
  { item, more }: Pagination,
  start: unknown,
  load: (cursor: unknown, make: (body: PageBody<Item>) => Page<Item>) => ApiPromise<Page<Item>>,
): PagePromise<Item> {
  // `undefined` where the list ends: on an empty page, too, whatever its flag says.
  const cursorAfter = ({ data, hasMore }: Page<Item>): unknown => (hasMore ? Object(data.at(-1))[item] : undefined);
  const pageAt = (cursor: unknown): ApiPromise<Page<Item>> =>
    load(cursor, (body) => {
      const page: Page<Item> = {
        data: body.data,
        hasMore: Reflect.get(body, more) === true,
        nextPage: async () => {
          const next = cursorAfter(page);
          return next === undefined || next === cursor ? undefined : pageAt(next);
        },
        [Symbol.asyncIterator]: () => walk(page, cursor),
      };
      return page;
    });

  async function* walk(page: Page<Item>, cursor: unknown): AsyncGenerator<Item, undefined> {
    const seen = new Set([cursor]);
    for (;;) {
      for (const one of page.data) yield one;
      const next = cursorAfter(page);
      if (next === undefined || seen.has(next)) return;
      seen.add(next);
      page = await pageAt(next);
    }
  }

  const first = pageAt(start);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* walk(await first, start);
    },
  });
}
