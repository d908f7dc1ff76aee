import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request as the bytes of HTTP/1.1. */
export function requestBytes(url: string, body: string): Buffer {
  const { pathname, host } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "Authorization: Bearer bench",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * A connection that stays open and sends one request at a time. It writes bytes and finds the end of the response, and
 * nothing else, because an expensive load generator would measure itself.
 */
export class Connection {
  readonly #socket: Socket;
  #answer = "";
  #settle: { resolve(body: string): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (part: string) => this.#read(part));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new Error("The server closed the connection.")));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Sends a request, and returns the body of the response. @throws Error if the status is not 200 */
  ask(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #read(part: string): void {
    this.#answer += part;
    const answer = this.#answer;
    const end = answer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, end))?.[1];
    if (length === undefined ? !answer.endsWith("\r\n0\r\n\r\n") : answer.length < end + 4 + Number(length)) return;
    this.#answer = "";
    if (answer.startsWith("HTTP/1.1 200")) this.#settle?.resolve(answer.slice(end + 4));
    else this.#settle?.reject(new Error(`The answer was ${answer.slice(0, 500)}`));
  }
}

/** Repeats a request over some connections. Returns the number of responses, and the seconds that they took. */
export async function load(
  url: string,
  body: string,
  milliseconds: number,
  connections: number,
): Promise<{ done: number; seconds: number }> {
  const request = requestBytes(url, body);
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  let done = 0;
  const start = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      for (; performance.now() - start < milliseconds; done++) await connection.ask(request);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const connection of open) connection.close();
  return { done, seconds };
}
