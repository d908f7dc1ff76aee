import { groupBy } from "@trainyard/document";

/** The class of `@trainyard/core` for a status. */
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

/** A doc comment's tags for failures; statuses of one class share a tag. */
export function throwsTags(failures: readonly { status: string; description: string }[]): string[] {
  return [...groupBy(failures, ({ status }) => errorClass(status))].map(([name, group]) => {
    const statuses = group.map(({ status }) => status).join(", ");
    const [only] = group;
    const text = group.length === 1 && only?.description ? `: ${firstSentence(only.description)}` : "";
    // Not a link: TypeScript parses a brace after @throws as the beginning of a type.
    return `@throws {${name}} ${statuses}${text}`;
  });
}

function firstSentence(text: string): string {
  const flat = text.trim().replaceAll(/\s+/g, " ");
  return /^.*?[.!?](?=\s|$)/.exec(flat)?.[0] ?? flat;
}
