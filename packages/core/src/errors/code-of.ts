/** The code of an error, such as `ECONNREFUSED`: a text that stands on it or on one of its causes. */
export function codeOf(failure: unknown): string | undefined {
  // An error may be its own cause.
  for (let error = failure, hops = 0; error instanceof Error && hops < 8; error = error.cause, hops++)
    if ("code" in error && typeof error.code === "string") return error.code;
  return undefined;
}
