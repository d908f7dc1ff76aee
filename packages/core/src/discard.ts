/** Cancels the body of a response, so that its connection is released. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
