import { createTrainingClient } from "@trainyard/training";
import { fetch, ProxyAgent } from "undici";

const proxy = process.env["TRAINYARD_PROXY"] ?? "http://127.0.0.1:3128";
const dispatcher = new ProxyAgent(proxy);
const training = createTrainingClient({ fetch, fetchOptions: { dispatcher } });

console.log("through the proxy:", await training.health.check());
await dispatcher.close();
