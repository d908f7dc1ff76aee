const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener("message", () => waiting.shift()?.());
channel.port1.start();

/** Calls back after the tasks in the queue. Timers would wait for four milliseconds once several follow each other. */
export function immediate(work: () => void): void {
  waiting.push(work);
  channel.port2.postMessage(null);
}
