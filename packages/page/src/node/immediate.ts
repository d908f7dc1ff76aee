const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener("message", () => waiting.shift()?.());
channel.port1.start();

/** Calls after what waits for its turn: a timer would wait for four milliseconds, once a few follow each other. */
export function immediate(work: () => void): void {
  waiting.push(work);
  channel.port2.postMessage(null);
}
