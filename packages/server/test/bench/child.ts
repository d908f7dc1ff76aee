// The local server in its own process, on the given folder. It prints its address, and exits on a signal.
import { createServer } from "@trainyard/server";

const [data = "memory", ...flags] = process.argv.slice(2);
const server = createServer({
  data,
  keys: [{ key: "bench", entity: "harbor" }],
  console: flags.includes("--console"),
});
process.once("SIGTERM", () => void server.close().then(() => process.exit()));
const url = await server.listen({ port: 0, ownProcess: true });
process.send?.({ url, control: server.connect("local").apiKey });
