import { Disconnect, type Host } from "@trainyard/host";
import type { Controls, RecordedRequest } from "./controls.ts";
import { ExampleService, hostOf, type ServiceOptions } from "./example-service.ts";
import type { Contract, Untyped } from "./operation-types.ts";
import type { Plans } from "./plans.ts";
import { documentOf, type ServiceName, type Services } from "./services.ts";

/** The options of a client to call a mock: `createTrainingClient({ ...mock.connect() })`. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A service in this process, without a port. */
export interface MockService<C extends Contract = Untyped<string>> extends Controls<C> {
  /** Address, key and `fetch` for a client. */
  connect(): Connection;
  /** Handles a request, for clients of your own. */
  handle(request: Request): Promise<Response>;
}

/**
 * Creates a service in this process, as a test double: its responses come from the document, and it rejects what the
 * service would reject. It costs little until the first request.
 *
 * @param service the name of a service of this package, or the document of another
 */
export function mockService<Name extends ServiceName>(
  service: Name,
  options?: ServiceOptions,
): MockService<Services[Name]>;
export function mockService<Name extends string = string>(
  document: object,
  options?: ServiceOptions,
): MockService<Untyped<Name>>;
export function mockService(service: string | object, options: ServiceOptions = {}): MockService {
  return serviceWithPlans(service, options).mock;
}

/** The same, with its plans. */
export function serviceWithPlans(
  service: string | object,
  options: ServiceOptions,
): { readonly mock: MockService; readonly plans: Plans } {
  const document = typeof service === "string" ? documentOf(service) : service;
  const inner = new ExampleService("mock", document, options);
  const served = hostOf([inner]);
  const mock: MockService = {
    ...controlsOf(inner),
    handle: (request) => served.fetch(request),
    connect: () => ({
      // Reserved by RFC 2606: a client without the mock's `fetch` reaches nothing.
      baseUrl: `http://mock.invalid${inner.document.prefix}`,
      apiKey: options.keys?.[0] ?? defaultKey,
      fetch: fetchFrom(served),
    }),
  };
  return { mock, plans: inner.plans };
}

/** The key of a connection if the mock accepts any. */
export const defaultKey = "mock-key";

/** The controls of a service in a test. */
export function controlsOf({ plans }: ExampleService): Controls<Untyped<string>> {
  function requests(operation?: string): RecordedRequest[] {
    return plans.recorded(operation);
  }
  function once(operation: string, answer: unknown): void {
    plans.plan(operation, answer, once);
  }
  return {
    once,
    on: <Name extends string>(operation: Name, answer: (request: RecordedRequest<Name>) => unknown) =>
      plans.on(operation, (request) => answer({ ...request, operation })),
    pending: () => plans.pending(),
    delay: (ms) => {
      plans.delayMs = ms;
    },
    requests,
    reset: () => plans.reset(),
  };
}

/** A `fetch` that reaches only the host. It fails like Node's: with a `TypeError` whose cause has a code. */
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
