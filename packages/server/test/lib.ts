import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import type { NameIn, Reads } from "@trainyard/console";
import { createAuxiliaryClient, type AuxiliaryClient } from "@trainyard/auxiliary";
import { createLocalClient, type LocalClient } from "@trainyard/local";
import { createInferenceClient, type InferenceClient } from "@trainyard/inference";
import { createTrainingClient, type TrainingClient } from "@trainyard/training";
import { afterAll, expect } from "vitest";
import { createServer, type Connection, type LocalServer, type ServerOptions } from "../src/index.ts";

/** A server of a test, with the faults that it must not have at its end. */
export interface TestServer extends LocalServer {
  /** Internal errors. */
  readonly errors: unknown[];
  /** Clients of one entity. */
  clients(entity?: string): { training: TrainingClient; inference: InferenceClient; auxiliary: AuxiliaryClient };
  /** A client of the control interface. */
  readonly control: LocalClient;
  /** A new name for an entity. */
  fresh(): string;
  /** Ends the server. Fails if a response violated its document, or there was an internal error. */
  end(): Promise<void>;
}

/** The options of a server. By default it has no trainer; with `trainer: undefined` it has the built-in one. */
export type TestOptions = Omit<ServerOptions, "trainer"> & { readonly trainer?: ServerOptions["trainer"] | undefined };

const entities = Array.from({ length: 1200 }, (_, index) => ({ key: `key-of-team-${index}`, entity: `team-${index}` }));

/** Creates a server that validates each of its responses. The caller must end it. */
export function makeServer(options: TestOptions = {}): TestServer {
  const errors: unknown[] = [];
  // Most tests train nothing, and need no trainer program.
  const { trainer = "trainer" in options ? undefined : "none", ...rest } = options;
  const server = createServer({
    keys: entities,
    checkAnswers: true,
    report: (error) => errors.push(error),
    notice: () => undefined,
    ...rest,
    ...(trainer !== undefined && { trainer }),
  });
  let used = 0;
  return {
    ...server,
    errors,
    control: createLocalClient({ ...server.connect("local"), maxRetries: 0 }),
    clients: (entity) => ({
      training: createTrainingClient({ ...server.connect("training", entity), maxRetries: 0 }),
      inference: createInferenceClient({ ...server.connect("inference", entity), maxRetries: 0 }),
      auxiliary: createAuxiliaryClient({ ...server.connect("auxiliary", entity), maxRetries: 0 }),
    }),
    fresh: () => entities[++used]?.entity ?? "",
    end: async () => {
      await server.close();
      expect([...new Set(server.violations().map((violation) => JSON.stringify(violation)))].slice(0, 20)).toEqual([]);
      expect(errors).toEqual([]);
    },
  };
}

/** A server for all tests of a file. */
export function sharedServer(options: TestOptions = {}): TestServer {
  const server = makeServer(options);
  afterAll(() => server.end());
  return server;
}

/** Reads what a page of the console reads. */
export async function shown<P extends keyof Reads>(
  connection: Connection,
  path: P,
  params: Record<NameIn<P>, string>,
  query: Partial<Reads[P]["query"]> = {},
): Promise<Reads[P]["answer"]> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: NameIn<P>) => encodeURIComponent(params[name]));
  // The conditions of metadata and metrics are an object, whose names are those of the query.
  const flat = { ...query, ...("filter" in query && Object(query.filter)), filter: undefined };
  const values = Object.entries(flat).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, `${one as string | number}`]),
  );
  const response = await send(connection, `${filled}?${new URLSearchParams(values).toString()}`);
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  return (path.endsWith(".csv") ? response.text() : response.json()) as Promise<Reads[P]["answer"]>;
}

/** All items of a list that the console shows, page by page. */
export async function allShown<P extends "groups" | "rollouts" | "tasks" | "jobs">(
  connection: Connection,
  list: P,
  run: string,
  query: Partial<Reads[`/runs/{run_id}/${P}`]["query"]> = {},
): Promise<Reads[`/runs/{run_id}/${P}`]["answer"]["data"]> {
  const items: object[] = [];
  for (let after = {}; ;) {
    const asked = { ...query, ...after };
    const { data, has_more: more } = await shown(connection, `/runs/{run_id}/${list}`, { run_id: run } as never, asked);
    items.push(...data);
    const last: { id?: string; task?: string } = data.at(-1) ?? {};
    after = { after: list === "tasks" ? last.task : last.id };
    if (!more) return items as never;
  }
}

/** Listens on this machine, and returns the port. */
export async function listening(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Sends a request that the clients cannot send, with the key. */
export function send(
  { baseUrl, apiKey, fetch }: Connection,
  path: string,
  { body, headers, ...init }: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...(body != null && { method: "POST", body }),
    ...init,
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json", ...headers },
  });
}

/** Polls until a condition holds. The limit only ends a test that hangs. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("It did not come to hold within thirty seconds.");
}
