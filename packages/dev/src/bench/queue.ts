/** Events in order. Each is consumed once. */
export interface Queue<Item> {
  readonly put: (item: Item) => void;
  readonly take: () => Promise<Item>;
}

/** Creates a queue for the callbacks of a session. */
export function queue<Item>(): Queue<Item> {
  const items: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  return {
    put(item) {
      const consumer = waiting.shift();
      if (consumer) consumer(item);
      else items.push(item);
    },
    take: () => {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item);
    },
  };
}
