/** Which page of a list is asked for. */
export interface PageRequest {
  /** Id of the last item seen; absent for the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Some items of a list, and whether there are more behind them. */
export interface PageRecord<T> {
  readonly items: T[];
  readonly hasMore: boolean;
}

/** Makes a page of rows that were asked for with a limit of one more than wanted. */
export function pageOf<T>(items: T[], limit: number): PageRecord<T> {
  return { items: items.slice(0, limit), hasMore: items.length > limit };
}
