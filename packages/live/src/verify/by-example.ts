import { host } from "@trainyard/host";
import type { LiveService } from "../service.ts";

/** A service that returns the examples of its document, within this process: no request is sent. */
export function byExample(service: LiveService): LiveService {
  const { name, document, baseUrl } = service;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  const served = host({ name, document, prefix }, { unhandled: () => undefined });
  return { ...service, fetch: (input, init) => served.fetch(new Request(input, init)) };
}
