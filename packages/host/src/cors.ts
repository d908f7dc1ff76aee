const exposedHeaders = "x-request-id, Retry-After, retry-after-ms";
const usualHeaders = "Authorization, Content-Type, Compat-Project, Idempotency-Key";

/** Whether pages of an origin may call. */
export type AllowsOrigin = (origin: string) => boolean;

/** Whether a request is a browser's question whether another request may be sent. */
export function isPreflight(method: string, headers: Headers): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** What an answer carries so that pages of allowed origins may read it. Others get nothing. */
export function originHeaders(request: Headers, allows: AllowsOrigin): { Vary: string; [name: string]: string } {
  const origin = request.get("origin");
  if (origin === null || !allows(origin)) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** What answers a preflight for a path with these methods: the headers that it asks for are allowed, whatever they are. */
export function preflightHeaders(
  request: Headers,
  methods: readonly string[],
  allows: AllowsOrigin,
): Record<string, string> {
  if (!allows(request.get("origin") ?? "")) return {};
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": request.get("access-control-request-headers") ?? usualHeaders,
    "Access-Control-Max-Age": "600",
  };
}

/** Whether an origin is a page of this machine. */
export function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
