import type { Basis } from "@trainyard/document";
import { withoutSecrets } from "../curl.ts";
import type { LiveService } from "../service.ts";
import { basisAt, type Certainty, type Finding } from "./finding.ts";
import { linesOf } from "./lines.ts";
import type { Exchange } from "./wire.ts";

/** A finding, as the probe that made it reports it. */
export interface Breach {
  readonly pointer: string;
  readonly says: string;
  readonly seen: string;
  /** `contradicts` by default. */
  readonly certainty?: Certainty;
  /** The basis at the pointer by default. */
  readonly basis?: Basis | "http";
}

/** A request without its key: `GET /v1/health, without a key`. */
export function shownRequest({ service, sent, tried }: Exchange): string {
  const text = `${sent.method} ${sent.url.replace(service.baseUrl, "")}${tried === "" ? "" : `, ${tried}`}`;
  return withoutSecrets(text, Object.values(service.credentials));
}

/** The findings, each once, and notes on what could not be checked. */
export class Findings {
  readonly #found = new Map<string, Finding>();
  readonly #notes = new Set<string>();
  readonly #lines = new Map<string, (pointer: string) => number | undefined>();

  add(exchange: Exchange, breach: Breach): void {
    const { service, operation, answer } = exchange;
    const { pointer, says, certainty = "contradicts" } = breach;
    // What a component does not declare is one finding, wherever the component occurs.
    const isShared = certainty === "not declared" && pointer.startsWith("#/components/");
    const key = [service.name, certainty, pointer, ...(isShared ? [breach.seen] : [operation?.id, says])].join("\n");
    const before = this.#found.get(key);
    if (before !== undefined) {
      this.#found.set(key, { ...before, times: before.times + 1 });
      return;
    }
    const basis = breach.basis ?? basisAt(service.document.root, pointer);
    const hide = (text: string) => withoutSecrets(text, Object.values(service.credentials));
    this.#found.set(key, {
      service: service.name,
      operation: operation?.name,
      certainty,
      place: this.#placeOf(service, pointer),
      says,
      basis,
      seen: hide(breach.seen),
      request: shownRequest(exchange),
      requestId: answer.headers.get("x-request-id") ?? undefined,
      times: 1,
    });
  }

  /** Notes what could not be checked, and why. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  /** The pointer, with file and line if the service's document is a file. */
  #placeOf({ file }: LiveService, pointer: string): Finding["place"] {
    if (file === undefined) return { pointer };
    const lines = this.#lines.get(file) ?? linesOf(file);
    this.#lines.set(file, lines);
    const line = lines(pointer);
    return { pointer, file, ...(line !== undefined && { line }) };
  }

  /** All findings, contradictions first. */
  all(): Finding[] {
    return [...this.#found.values()].toSorted((a, b) => a.certainty.localeCompare(b.certainty));
  }

  notes(): string[] {
    return [...this.#notes];
  }
}
