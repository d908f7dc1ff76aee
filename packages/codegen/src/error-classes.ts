/** The class of `@trainyard/core` that a status becomes. */
const byStatus: Readonly<Record<string, string>> = {
  400: "BadRequestError",
  401: "UnauthorizedError",
  402: "PaymentRequiredError",
  403: "ForbiddenError",
  404: "NotFoundError",
  409: "ConflictError",
  413: "ContentTooLargeError",
  422: "UnprocessableError",
  429: "RateLimitError",
};

export function errorClass(status: string): string {
  return byStatus[status] ?? (status.startsWith("5") ? "ServerError" : "ApiError");
}

/** A failure as a doc comment names it; statuses of one class in one tag. */
export function throwsTags(failures: readonly { status: string; description: string }[]): string[] {
  const classes = new Set(failures.map(({ status }) => errorClass(status)));
  return [...classes].map((name) => {
    const group = failures.filter(({ status }) => errorClass(status) === name);
    const statuses = group.map(({ status }) => status).join(", ");
    const [only] = group;
    const text = group.length === 1 && only?.description ? `: ${firstSentence(only.description)}` : "";
    // Not as a link: TypeScript reads a brace after @throws as the beginning of a type.
    return `@throws {${name}} ${statuses}${text}`;
  });
}

function firstSentence(text: string): string {
  const flat = text.trim().replaceAll(/\s+/g, " ");
  return /^.*?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat;
}
