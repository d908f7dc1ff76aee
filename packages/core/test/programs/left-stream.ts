// A program that leaves a stream as its argument says, and has nothing else to do.
import { createDemoClient } from "../demo-client.ts";

const [url = "", how] = process.argv.slice(2);
const client = createDemoClient({ baseUrl: url, apiKey: "key-of-the-demo" });
const stream = await client.chat.completions.create({ model: "m", messages: [], stream: true });
if (how === "after one event") await stream[Symbol.asyncIterator]().next();
console.log("left");
