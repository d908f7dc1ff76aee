import { fileURLToPath } from "node:url";
import { readDocument } from "@trainyard/document";
import type { LiveService } from "@trainyard/live";
import { packages } from "@trainyard/testing/services";

/** How a test reaches a service. */
export interface Reached {
  readonly baseUrl: string;
  readonly apiKey?: unknown;
  readonly fetch?: typeof fetch | undefined;
}

/** The services of a server or a mock, as they are verified. */
export function liveServices(
  connect: (service: "training" | "inference" | "auxiliary") => Reached,
  key: string,
): LiveService[] {
  // The control interface of the local server is no service that others run.
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
