// The local server in a process of its own, on the folder that is given. Tells its address.
import { createServer } from "../../src/index.ts";

const [data = "memory"] = process.argv.slice(2);
const server = createServer({ data, keys: [{ key: "bench", entity: "bench" }] });
process.send?.({ url: await server.listen({ port: 0, ownProcess: true }) });
