import { fileURLToPath } from "node:url";
import { readDocument } from "@trainyard/document";
import type { LiveService } from "@trainyard/live";
import { packages } from "@trainyard/testing/services";

/** The connection of a test to a service. */
export interface Reached {
  readonly baseUrl: string;
  readonly apiKey?: unknown;
  readonly fetch?: typeof fetch | undefined;
}

/** The services of a server or a mock to verify. */
export function liveServices(
  connect: (service: "training" | "inference" | "auxiliary") => Reached,
  key: string,
): LiveService[] {
  // Only the local server has the control interface.
  const services = packages.filter(({ name }) => name !== "local");
  return services.map(({ name, document }) => {
    const service = name as "training" | "inference" | "auxiliary";
    const { baseUrl, fetch } = connect(service);
    return {
      name,
      document: readDocument(document),
      baseUrl,
      credentials: { apiKey: key, accessToken: key, basicKey: key },
      file: fileURLToPath(new URL(`../../../${name}/src/generated/openapi.yaml`, import.meta.url)),
      fetch,
    };
  });
}
