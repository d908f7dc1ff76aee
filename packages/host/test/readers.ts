/** For tests: of the notes that are counted, their number. */
export const readers = {
  "notes.count": ({ more }: { more?: unknown[] }): unknown => ({ notes: 1 + (more?.length ?? 0) }),
};
