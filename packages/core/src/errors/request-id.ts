/** The id that the service assigned to a request. */
export function requestIdOf({ headers }: Response): string | undefined {
  return headers.get("x-request-id") ?? undefined;
}
