import { refuse, type HostCode, type Refusal } from "./refusal.ts";

/** How long an entity that was refused counts as waiting, in milliseconds: clients try again after a second. */
const waitMs = 10_000;

/**
 * The running requests, shared between entities. One entity may have all of them, but only half while another one waits. A
 * request whose body is still being sent takes no place from others: of those, each entity may have as many of its own.
 */
export class Slots {
  readonly #most: number;
  readonly #half: number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #sendingOf = new Map<string, number>();
  /** When entities were refused last. */
  readonly #refused = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
    this.#half = Math.ceil(most / 2);
  }

  /** Begins a body that is being sent, and returns why it is refused. */
  beginBody(owner: string): Refusal<number, HostCode> | undefined {
    const sending = this.#sendingOf.get(owner) ?? 0;
    if (sending >= this.#most)
      return tooMany(`More than ${this.#most} bodies are being sent with keys of one entity. Finish some of them.`);
    this.#sendingOf.set(owner, sending + 1);
    return undefined;
  }

  endBody(owner: string): void {
    lower(this.#sendingOf, owner);
  }

  /** Begins a whole request, and returns why it is refused. */
  begin(owner: string): Refusal<number, HostCode> | undefined {
    const own = this.#runningOf.get(owner) ?? 0;
    const isFull = this.#running >= this.#most;
    if (isFull || (own >= this.#half && this.#othersWait(owner))) {
      this.#refused.set(owner, performance.now());
      const most = isFull ? this.#most : this.#half;
      const whose = isFull ? "" : " of one entity";
      const cure = isFull ? "" : " while others wait";
      return tooMany(`More than ${most} requests${whose} are running${cure}. Wait for some of them to finish.`);
    }
    this.#refused.delete(owner);
    this.#running++;
    this.#runningOf.set(owner, own + 1);
    return undefined;
  }

  end(owner: string): void {
    this.#running--;
    lower(this.#runningOf, owner);
  }

  /** Whether another entity was refused that has less than its half. */
  #othersWait(owner: string): boolean {
    const since = performance.now() - waitMs;
    for (const [other, at] of this.#refused) {
      if (at < since) this.#refused.delete(other);
      else if (other !== owner && (this.#runningOf.get(other) ?? 0) < this.#half) return true;
    }
    return false;
  }
}

const tooMany = (message: string) => refuse(429, message, { code: "rate_limit_exceeded" });

function lower(counts: Map<string, number>, owner: string): void {
  const count = (counts.get(owner) ?? 0) - 1;
  if (count > 0) counts.set(owner, count);
  else counts.delete(owner);
}
