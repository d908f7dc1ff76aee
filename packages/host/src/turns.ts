/** A queue in which entities take turns: each turn is that of the entity that has waited longest for one. */
export class Turns<T> {
  readonly #queues = new Map<string, T[]>();
  size = 0;

  push(entity: string, item: T): void {
    const queue = this.#queues.get(entity);
    if (queue === undefined) this.#queues.set(entity, [item]);
    else queue.push(item);
    this.size++;
  }

  /** Takes the first item of the entity whose turn it is. */
  shift(): T | undefined {
    const [entity, queue] = this.#queues.entries().next().value ?? [];
    if (entity === undefined || queue === undefined) return undefined;
    const item = queue.shift();
    if (queue.length === 0) this.#queues.delete(entity);
    else if (this.#queues.size > 1) {
      // Its next turn comes after those of all others.
      this.#queues.delete(entity);
      this.#queues.set(entity, queue);
    }
    this.size--;
    return item;
  }
}
