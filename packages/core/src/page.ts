import type { ApiPromise, Page, PagePromise } from "./result.ts";
import type { Pagination } from "./operation.ts";

/** The body of a page, with the fields that pagination reads. */
export interface PageBody<Item> {
  data: Item[];
}

/** Creates a list from a function that fetches one page, from the start or from a cursor. */
export function pagesOf<Item>(
  { item, more }: Pagination,
  start: unknown,
  load: (cursor: unknown, make: (body: PageBody<Item>) => Page<Item>) => ApiPromise<Page<Item>>,
): PagePromise<Item> {
  // `undefined` at the end of the list. An empty page always ends it, whatever its flag says.
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
