import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { goodBody, type Kind } from "./calls.ts";
import type { Waits } from "./fast-clock.ts";
import type { Fault } from "./faults.ts";

/** One fault against one kind of call, as the server sees it. */
export interface Stage {
  readonly fault: Fault;
  readonly kind: Kind;
  /** The address that the call is sent to. */
  readonly baseUrl: string;
  /** The client's waits before each request after the first, in milliseconds of its clock. */
  readonly pauses: number[];
  /** The current wait. */
  readonly waits: Waits;
  /** The open connections. */
  readonly sockets: Set<Socket>;
  keySeen: boolean;
  /** Whether the first fault met a new connection. */
  isFresh: boolean;
  /** Whether the next request gets the fault. Counts the request. */
  meets(): boolean;
}

/** The servers that play the faults. */
export interface FaultServer {
  /** An address without a server. */
  readonly nowhere: string;
  stage(fault: Fault, kind: Kind): Promise<Stage>;
  close(): Promise<void>;
}

/**
 * Starts the servers on free ports: one that plays faults, one of another origin that responds normally, and a closed port.
 */
export async function startFaultServer(): Promise<FaultServer> {
  const stages: Stage[] = [];
  const used = new WeakSet<Socket>();
  const enter: (...of: Parameters<RequestListener>) => Stage = (request, response) => {
    const stage = stages[Number(/^\/(\d+)\//.exec(request.url ?? "")?.[1])];
    if (!stage) throw new Error(`No fault is played at ${request.url}.`);
    hold(stage, request.socket);
    // One connection per request, so that connections that are left open can be attributed; if the fault asks for a used
    // one, one up to the first fault.
    response.shouldKeepAlive = stage.fault.isReused === true && stage.pauses.length === 0;
    request.resume();
    return stage;
  };
  const good =
    (stage: Stage, turn: number): RequestListener =>
    (_, response) =>
      void response
        .writeHead(200, { "content-type": stage.kind === "stream" ? "text/event-stream" : "application/json" })
        .end(goodBody(stage.kind, turn));

  const play: RequestListener = (request, response) => {
    const stage = enter(request, response);
    const { kind, fault, pauses } = stage;
    const { url = "", socket } = request;
    const turn = turnOf(kind, url);
    if (fault.play && !/^\/\d+\/$/.test(url) && stage.meets()) {
      response.shouldKeepAlive = false;
      if (pauses.length === 1) stage.isFresh = !used.has(socket);
      fault.play({ kind, request, response, body: goodBody(kind, turn), elsewhere: addressOf(elsewhere), nowhere });
    } else {
      used.add(socket);
      good(stage, turn)(request, response);
    }
  };
  const [here, elsewhere, nobody] = await Promise.all([
    listen(play),
    listen((request, response) => {
      const stage = enter(request, response);
      if (JSON.stringify(request.rawHeaders).includes(apiKey)) stage.keySeen = true;
      const { url = "" } = request;
      if (url.endsWith("&loop")) response.writeHead(307, { location: url }).end();
      else good(stage, turnOf(stage.kind, request.url ?? ""))(request, response);
    }),
    listen(() => {}),
  ]);
  const nowhere = addressOf(nobody);
  await closed(nobody);
  const open = [here, elsewhere];

  return {
    nowhere,
    stage: async (fault, kind) => {
      // Of its own, so that no other stage uses the connection.
      const server = fault.isReused ? await listen(play) : here;
      if (fault.isReused) open.push(server);
      let calls = 0;
      const pauses: number[] = [];
      const waits = { waited: 0 };
      const stage: Stage = {
        fault,
        kind,
        baseUrl: `${addressOf(server)}/${stages.length}`,
        pauses,
        waits,
        sockets: new Set(),
        keySeen: false,
        isFresh: false,
        meets: () => {
          const first = calls++ === 0;
          // The first page and the first poll succeed.
          if (first && (kind === "page" || kind === "follow")) return false;
          pauses.push(waits.waited);
          waits.waited = 0;
          // Only one poll of a job fails, so that following it can continue.
          return kind !== "follow" || pauses.length === 1;
        },
      };
      stages.push(stage);
      return stage;
    },
    close: async () => {
      await Promise.all(open.map(closed));
    },
  };
}

/** The key of the calls. */
export const apiKey = "key-of-the-faults";

/** The index of the response: the second page, and the later events, are those after a cursor. */
function turnOf(kind: Kind, url: string): number {
  return (kind === "page" || kind === "follow") && /[?&]after=./.test(url) ? 1 : 0;
}

function hold({ sockets }: Stage, socket: Socket): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  // Connection resets are expected.
  socket.on("error", () => {});
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function listen(listener: RequestListener): Promise<Server> {
  // A connection that was used stays open, however long a busy machine takes to use it again.
  const server = createServer({ keepAliveTimeout: 600_000 }, listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

async function closed(server: Server): Promise<void> {
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
}
