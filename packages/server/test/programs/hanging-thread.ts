// For tests: loaded into each thread, so that a test can let it hang. See `serve-command.ts`.
import { BroadcastChannel, threadName } from "node:worker_threads";

const channel = new BroadcastChannel("hang");
channel.unref();
channel.addEventListener("message", (event) => {
  if (!("data" in event) || event.data !== threadName) return;
  for (;;);
});
