import { named } from "./limits.ts";
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
  readonly #option: string | undefined;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #sendingOf = new Map<string, number>();
  /** When entities were refused last. */
  readonly #refused = new Map<string, number>();

  /** @param option by which people set the number */
  constructor(most: number, option: string | undefined) {
    this.#option = option;
    this.#most = most;
    this.#half = Math.ceil(most / 2);
  }

  /** Begins a body that is being sent, and returns why it is refused. */
  beginBody(owner: string): Refusal<number, HostCode> | undefined {
    const sending = this.#sendingOf.get(owner) ?? 0;
    if (sending >= this.#most)
      return this.#tooMany(this.#most, "bodies are being sent with keys of one entity", "Finish some of them.");
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
      return isFull
        ? this.#tooMany(this.#most, "requests are running", wait)
        : this.#tooMany(this.#half, "requests of one entity are running while others wait, which is half of all", wait);
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

  #tooMany(most: number, what: string, cure: string): Refusal<number, HostCode> {
    return refuse(429, `More than ${most} ${what}${named(this.#option)}. ${cure}`, { code: "rate_limit_exceeded" });
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

const wait = "Wait for some of them to finish.";

function lower(counts: Map<string, number>, owner: string): void {
  const count = (counts.get(owner) ?? 0) - 1;
  if (count > 0) counts.set(owner, count);
  else counts.delete(owner);
}
