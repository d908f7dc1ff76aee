/** The code of an error, such as `ECONNREFUSED`: the string `code` of the error or of one of its causes. */
export function codeOf(failure: unknown): string | undefined {
  // A chain of causes may be circular.
  for (let error = failure, hops = 0; error instanceof Error && hops < 8; error = error.cause, hops++)
    if ("code" in error && typeof error.code === "string") return error.code;
  return undefined;
}

/** The code of an error for the end of a message: ` (ECONNREFUSED)`. */
export function codeNote(failure: unknown): string {
  const code = codeOf(failure);
  return code ? ` (${code})` : "";
}
