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
  const pageAt = (cursor: unknown, before: readonly unknown[] = []): ApiPromise<Page<Item>> =>
    load(cursor, (body) => {
      const { data } = body;
      const hasMore = Reflect.get(body, more) === true;
      // An empty page always ends the list, whatever its flag says.
      const next: unknown = hasMore ? Object(data.at(-1))[item] : undefined;
      const seen = [...before, cursor];
      const page: Page<Item> = {
        data,
        hasMore,
        nextPage: async () => (next === undefined || seen.includes(next) ? undefined : pageAt(next, seen)),
        async *[Symbol.asyncIterator]() {
          for (let at: Page<Item> | undefined = page; at; at = await at.nextPage()) yield* at.data;
        },
      };
      return page;
    });

  const first = pageAt(start);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* await first;
    },
  });
}
