/** The baseline of the compiler: an empty program with the libraries. */
export const nothing: unknown[] = [];
