/// <reference lib="esnext.disposable" preserve="true" />
import { listen, type Listener } from "@trainyard/host";
import type { Controls } from "./controls.ts";
import { ExampleService, hostOf, type ServiceOptions } from "./example-service.ts";
import { controlsOf, defaultKey, type Connection } from "./mock-service.ts";
import type { Untyped } from "./operation-types.ts";
import { documentOf, serviceNames, type ServiceName, type Services } from "./services.ts";

/** How a mock is started. */
export interface MockOptions extends ServiceOptions {
  /** The port; a free one by default, and also when this one is taken. */
  readonly port?: number | undefined;
  /** Fails when the port is taken. */
  readonly strictPort?: boolean | undefined;
  /** The host; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** Documents of other services, by name. Each answers under the path of its first server. */
  readonly documents?: Documents | undefined;
}

/** Documents by the name of their service; undefined for a service that shall not be there. */
export type Documents = Readonly<Record<string, object | undefined>>;

/** Services at a port. */
export interface Mock {
  /** The address without any service's path. */
  readonly url: string;
  readonly port: number;
  /** The address of each service. */
  readonly addresses: Readonly<Record<string, string>>;
  /**
   * Address, key and `fetch` for a client of a service.
   * @throws Error for a service that the mock does not have
   */
  connect(service: ServiceName | (string & {})): Connection;
  /** What a test can do with a service. */
  service<Name extends ServiceName>(name: Name): Controls<Services[Name]>;
  service(name: string): Controls<Untyped<string>>;
  /**
   * Answers by these documents from now on, at the same port: they replace those of their services, and the other
   * services stay as they are. Requests under way are answered as before. Of the services that are replaced, plans, delay
   * and recorded requests are forgotten; take their controls anew.
   * @throws Error for a document that cannot be read; then nothing changes
   */
  reload(documents: Documents): void;
  /** Ends it, with all connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the services at one port: ours, and those whose documents are given.
 * @throws Error when the host cannot be used, or when the port is taken and `strictPort` is set
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const documents = {
    ...Object.fromEntries(serviceNames.map((name) => [name, documentOf(name)])),
    ...options.documents,
  };
  let services = new Map<string, ExampleService>();
  let served = hostOf([], options);
  const reload = (documents: Documents): void => {
    const changed = Object.entries(documents).map(
      ([name, document]) => [name, document && new ExampleService(name, document, options)] as const,
    );
    services = new Map(
      [...new Map<string, ExampleService | undefined>([...services, ...changed])].flatMap(([name, service]) =>
        service ? [[name, service]] : [],
      ),
    );
    served = hostOf([...services.values()], options);
  };
  reload(documents);
  const host = options.host ?? "127.0.0.1";
  // What answers may be replaced while the port is served.
  const current: Parameters<typeof listen>[0] = {
    fetch: (request, headerBytes) => served.fetch(request, headerBytes),
    unreadable: (status, message) => served.unreadable(status, message),
  };
  const listener = await listenSomewhere(options, (port) => listen(current, { port, host }));
  const url = `http://${reachable(host)}:${listener.port}`;
  const find = (name: string): ExampleService => {
    const service = services.get(name);
    if (service) return service;
    throw new Error(`The mock has no service "${name}". There are: ${[...services.keys()].join(", ")}.`);
  };
  const mock: Mock = {
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
  return mock;
}

async function listenSomewhere(options: MockOptions, at: (port: number) => Promise<Listener>): Promise<Listener> {
  try {
    return await at(options.port ?? 0);
  } catch (error) {
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!taken) throw error;
    if (options.strictPort)
      throw new Error(`Port ${options.port} is taken. Choose another, or none.`, { cause: error });
    return at(0);
  }
}

/** A host that can be called where the server listens on all. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
