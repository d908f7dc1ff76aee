/** What every program costs the compiler: the libraries. */
export const nothing: unknown[] = [];
