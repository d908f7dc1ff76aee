import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy on a free port, like that of a company. */
export interface Proxy {
  readonly url: string;
  /** The number of requests that it got. */
  requests(): number;
  close(): void;
}

/** Starts a proxy. It forwards requests with a whole address, and opens a tunnel for CONNECT. */
export async function startProxy(): Promise<Proxy> {
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests++;
    const { method, headers, url = "" } = incoming;
    const forwarded = request(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  server.on("connect", ({ url }, client, head) => {
    requests++;
    const { hostname, port } = new URL(`http://${url}`);
    const service = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      service.write(head);
      service.pipe(client).pipe(service);
    });
    service.on("error", () => client.destroy());
    client.on("error", () => service.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
