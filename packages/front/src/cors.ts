const allowedHeaders = "Authorization, Content-Type, Compat-Project, Idempotency-Key";
const exposedHeaders = "x-request-id, Retry-After, retry-after-ms";

/** Whether a request is a browser's question whether another request may be sent. */
export function isPreflight(method: string, headers: Headers): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** Adds what lets pages of this machine read an answer. Pages from elsewhere get nothing. */
export function allowOrigin(request: Headers, response: Headers): void {
  const { Vary, ...others } = originHeaders(request);
  response.append("Vary", Vary);
  for (const [name, value] of Object.entries(others)) response.set(name, value);
}

/** What an answer carries so that pages of this machine may read it. */
export function originHeaders(request: Headers): { Vary: string; [name: string]: string } {
  const origin = request.get("origin");
  if (origin === null || !isLoopback(origin)) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** Answers a preflight for a path with these methods. */
export function answerPreflight(request: Headers, methods: Iterable<string>): Response {
  const headers = new Headers();
  if (isLoopback(request.get("origin") ?? "")) {
    headers.set("Access-Control-Allow-Methods", [...methods].join(", "));
    headers.set("Access-Control-Allow-Headers", allowedHeaders);
    headers.set("Access-Control-Max-Age", "600");
  }
  return new Response(null, { status: 204, headers });
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
