/** The page of a list that is requested. */
export interface PageRequest {
  /** Id of the last item of the page before; absent for the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Some items of a list, and whether more follow. */
export interface PageRecord<T> {
  readonly items: T[];
  readonly hasMore: boolean;
}

/** Makes a page from rows that were selected with a limit of one more than wanted. */
export function pageOf<T>(items: T[], limit: number): PageRecord<T> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
