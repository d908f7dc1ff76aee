const exposedHeaders = "x-request-id, Retry-After, retry-after-ms";
const usualHeaders = "Authorization, Content-Type";

/** Whether a request is a CORS preflight. */
export function isPreflight(method: string, headers: Headers): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** The CORS headers of a response. Only pages on this machine may call. */
export function originHeaders(request: Headers): { Vary: string; [name: string]: string } {
  const origin = request.get("origin");
  if (origin === null || !isLoopback(origin)) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** The response to a preflight for a path with these methods. All requested headers are allowed. */
export function preflightHeaders(request: Headers, methods: readonly string[]): Record<string, string> {
  if (!isLoopback(request.get("origin") ?? "")) return {};
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": request.get("access-control-request-headers") ?? usualHeaders,
    "Access-Control-Max-Age": "600",
  };
}

/** Whether an origin is a page on this machine. */
export function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
