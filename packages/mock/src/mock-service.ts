import { Disconnect, type Host, type PlannedAnswer } from "@trainyard/host";
import type { Controls, RecordedRequest } from "./controls.ts";
import { ExampleService, hostOf, type ServiceOptions } from "./example-service.ts";
import { documentOf, type ServiceName, type OperationName } from "./services.ts";

/** What a client needs in order to call a mock: `createTrainingClient({ ...mock.connect() })`. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A service in this process, without a port. */
export interface MockService<Name extends string = string> extends Controls<Name> {
  /** Address, key and `fetch` for a client. */
  connect(): Connection;
  /** Answers a request, for those who bring their own client. */
  handle(request: Request): Promise<Response>;
}

/**
 * Makes a service in this process, as a test double: its answers come from the document, and it refuses what the service
 * would refuse. It is cheap until the first request.
 *
 * @param service one of ours by name, or the document of another
 */
export function mockService<Name extends ServiceName>(
  service: Name,
  options?: ServiceOptions,
): MockService<OperationName<Name>>;
export function mockService<Name extends string = string>(
  document: object,
  options?: ServiceOptions,
): MockService<Name>;
export function mockService(service: string | object, options: ServiceOptions = {}): MockService {
  const document = typeof service === "string" ? documentOf(service) : service;
  const inner = new ExampleService("mock", document, options);
  const served = hostOf([inner], options);
  return {
    ...controlsOf(inner),
    handle: (request) => served.fetch(request),
    connect: () => ({
      // Reserved by RFC 2606: who forgets to pass `fetch` on meets nobody.
      baseUrl: `http://mock.invalid${inner.document.prefix}`,
      apiKey: options.keys?.[0] ?? defaultKey,
      fetch: fetchFrom(served),
    }),
  };
}

/** The key of a connection when a mock takes any. */
export const defaultKey = "mock-key";

/** What a test can do with a service. */
export function controlsOf({ plans }: ExampleService): Controls<string> {
  function requests(operation?: string): RecordedRequest[] {
    return plans.recorded(operation);
  }
  return {
    once: (operation: string, answer: PlannedAnswer) => plans.plan(operation, answer),
    delay: (ms) => {
      plans.delayMs = ms;
    },
    requests,
    reset: () => plans.reset(),
  };
}

/** A `fetch` that reaches nothing but the host. It fails as Node's does: by a `TypeError` whose cause has a code. */
function fetchFrom(served: Host): Connection["fetch"] {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    try {
      return await served.fetch(request);
    } catch (error) {
      if (!(error instanceof Disconnect)) throw error;
      throw new TypeError("fetch failed", { cause: error });
    }
  };
}
