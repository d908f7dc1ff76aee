import { Keys } from "./keys.ts";
import type { Metrics, MetricsParts } from "./metrics.ts";

const path = "/_local/metrics";

/**
 * Serves the metrics at `/_local/metrics`, for the control key. No document describes them: their form is Prometheus'
 * own, and Prometheus does not read OpenAPI documents.
 */
export function metricsPage(metrics: Metrics, parts: MetricsParts & { readonly controlKey: string }) {
  const keys = new Keys([{ key: parts.controlKey, entity: "control" }]);
  return async ({ url, method, headers }: Request): Promise<Response | undefined> => {
    if ((method !== "GET" && method !== "HEAD") || new URL(url).pathname !== path) return undefined;
    const [, key] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (key === undefined || keys.entityOf({ key }) === undefined) {
      const message =
        "Send the control key as `Authorization: Bearer <key>`; it is in server.json of the data folder.\n";
      return new Response(message, {
        status: 401,
        headers: { "WWW-Authenticate": "Bearer", "Content-Type": "text/plain" },
      });
    }
    const text = method === "HEAD" ? null : await metrics.text(parts);
    return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
  };
}
