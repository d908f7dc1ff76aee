/// <reference lib="esnext.disposable" preserve="true" />
import { listen, type Listener } from "@trainyard/host";
import type { Controls } from "./controls.ts";
import { ExampleService, hostOf, type ServiceOptions } from "./example-service.ts";
import { controlsOf, defaultKey, type Connection } from "./mock-service.ts";
import type { Untyped } from "./operation-types.ts";
import { documentOf, serviceNames, type ServiceName, type Services } from "./services.ts";

/** Options of a mock. */
export interface MockOptions extends ServiceOptions {
  /** The port. Default: a free one, also if the given one is taken. */
  readonly port?: number | undefined;
  /** The host. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Documents of other services, by name. Each is served below the path of its first server. */
  readonly documents?: Documents | undefined;
}

/** Documents by the name of their service; undefined removes a service. */
export type Documents = Readonly<Record<string, object | undefined>>;

/** Services on a port. */
export interface Mock {
  /** The address without the path of a service. */
  readonly url: string;
  readonly port: number;
  /** The address of each service. */
  readonly addresses: Readonly<Record<string, string>>;
  /**
   * Address, key and `fetch` for a client of a service.
   * @throws Error if the mock does not have the service
   */
  connect(service: ServiceName | (string & {})): Connection;
  /** The controls of a service in a test. */
  service<Name extends ServiceName>(name: Name): Controls<Services[Name]>;
  service(name: string): Controls<Untyped<string>>;
  /**
   * Replaces the documents of these services, on the same port; the other services do not change. Running requests complete
   * with the old documents. Plans, delay and recorded requests of the replaced services are removed: get their controls
   * again.
   * @throws Error if a document cannot be read; then nothing changes
   */
  reload(documents: Documents): void;
  /** Stops the mock, and closes all connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the services of this package and those of the given documents on one port.
 * @throws Error if the host cannot be used
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const documents = {
    ...Object.fromEntries(serviceNames.map((name) => [name, documentOf(name)])),
    ...options.documents,
  };
  let services = new Map<string, ExampleService>();
  let served = hostOf([]);
  const reload = (documents: Documents): void => {
    const next = new Map(services);
    for (const [name, document] of Object.entries(documents))
      if (document === undefined) next.delete(name);
      else next.set(name, new ExampleService(name, document, options));
    services = next;
    served = hostOf([...services.values()]);
  };
  reload(documents);
  const host = options.host ?? "127.0.0.1";
  // The services may be replaced while the port is served.
  const current: Parameters<typeof listen>[0] = {
    fetch: (request, headerBytes) => served.fetch(request, headerBytes),
    unreadable: (status, message) => served.unreadable(status, message),
  };
  const listener = await listenSomewhere(options.port ?? 0, (port) => listen(current, { port, host }));
  const url = `http://${reachable(host)}:${listener.port}`;
  const find = (name: string): ExampleService => {
    const service = services.get(name);
    if (service) return service;
    throw new Error(`The mock has no service "${name}". There are: ${[...services.keys()].join(", ")}.`);
  };
  return {
    url,
    port: listener.port,
    get addresses() {
      return Object.fromEntries([...services].map(([name, { document }]) => [name, url + document.prefix]));
    },
    connect: (name) => ({
      baseUrl: url + find(name).document.prefix,
      apiKey: options.keys?.[0] ?? defaultKey,
      fetch: (input, init) => fetch(input, init),
    }),
    service: (name: string) => controlsOf(find(name)),
    reload,
    close: () => listener.break(),
    [Symbol.asyncDispose]: () => listener.break(),
  };
}

async function listenSomewhere(port: number, at: (port: number) => Promise<Listener>): Promise<Listener> {
  try {
    return await at(port);
  } catch (error) {
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!taken) throw error;
    return at(0);
  }
}

/** A host to call if the server listens on all interfaces. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
