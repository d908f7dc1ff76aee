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
  /** Whether the next request gets the fault. Counts the request. */
  meets(): boolean;
}

/**
 * Starts the servers on free ports: one that plays faults, one of another origin that responds normally, and a closed port.
 */
export async function startFaultServer() {
  const stages: Stage[] = [];
  const enter: (...of: Parameters<RequestListener>) => Stage = (request, response) => {
    const stage = stages[Number(/^\/(\d+)\//.exec(request.url ?? "")?.[1])];
    if (!stage) throw new Error(`No fault is played at ${request.url}.`);
    hold(stage, request.socket);
    // One connection per request, so that connections that are left open can be attributed.
    response.shouldKeepAlive = false;
    request.resume();
    return stage;
  };
  const good =
    (stage: Stage, turn: number): RequestListener =>
    (_, response) =>
      void response
        .writeHead(200, { "content-type": stage.kind === "stream" ? "text/event-stream" : "application/json" })
        .end(goodBody(stage.kind, turn));

  const [here, elsewhere, nobody] = await Promise.all([
    listen((request, response) => {
      const stage = enter(request, response);
      const { kind, fault } = stage;
      const turn = turnOf(kind, request.url ?? "");
      if (fault.play && stage.meets())
        fault.play({ kind, request, response, body: goodBody(kind, turn), elsewhere: addressOf(elsewhere) });
      else good(stage, turn)(request, response);
    }),
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

  return {
    /** An address without a server. */
    nowhere,
    stage: (fault: Fault, kind: Kind): Stage => {
      let calls = 0;
      const pauses: number[] = [];
      const waits = { waited: 0 };
      const stage: Stage = {
        fault,
        kind,
        baseUrl: `${addressOf(here)}/${stages.length}`,
        pauses,
        waits,
        sockets: new Set(),
        keySeen: false,
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
      await Promise.all([closed(here), closed(elsewhere)]);
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
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

async function closed(server: Server): Promise<void> {
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
}
