// The local server in a process of its own, on the folder that is given. Tells its address, and ends when it is told to.
import { createServer } from "@trainyard/server";

const [data = "memory"] = process.argv.slice(2);
const server = createServer({ data, keys: [{ key: "bench", entity: "bench" }] });
process.once("SIGTERM", () => void server.close().then(() => process.exit()));
process.send?.({ url: await server.listen({ port: 0, ownProcess: true }) });
