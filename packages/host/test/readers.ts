/** For tests: a reader that returns the number of notes. */
export const readers = {
  "notes.count": ({ more }: { more?: unknown[] }): unknown => ({ notes: 1 + (more?.length ?? 0) }),
};
