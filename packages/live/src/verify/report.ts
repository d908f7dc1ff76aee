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

/** The findings, each once, and notes on what could not be checked. */
export class Findings {
  readonly #found = new Map<string, Finding>();
  readonly #notes = new Set<string>();
  readonly #lines = new Map<string, (pointer: string) => number | undefined>();
  readonly #pointers = new Map<string, { service: LiveService; pointer: string }>();

  add({ service, operation, sent, answer, tried }: Exchange, breach: Breach): void {
    const { pointer, says, certainty = "contradicts" } = breach;
    const key = [service.name, operation?.id ?? "", certainty, pointer, says].join("\n");
    const before = this.#found.get(key);
    if (before !== undefined) {
      this.#found.set(key, { ...before, times: before.times + 1 });
      return;
    }
    const basis = breach.basis ?? basisAt(service.document.root, pointer);
    const hide = (text: string) => withoutSecrets(text, Object.values(service.credentials));
    this.#pointers.set(key, { service, pointer });
    this.#found.set(key, {
      service: service.name,
      operation: operation?.name,
      certainty,
      place: { pointer },
      says,
      basis,
      seen: hide(breach.seen),
      request: hide(`${sent.method} ${sent.url.replace(service.baseUrl, "")}${tried === "" ? "" : `, ${tried}`}`),
      requestId: answer.headers.get("x-request-id") ?? undefined,
      times: 1,
    });
  }

  /** Notes what could not be checked, and why. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  /** All findings, contradictions first, each with file and line if its service's document is a file. */
  all(): Finding[] {
    const found = [...this.#found].map(([key, finding]): Finding => {
      const { service, pointer } = this.#pointers.get(key) ?? {};
      if (service?.file === undefined || pointer === undefined) return finding;
      const lines = this.#lines.get(service.file) ?? linesOf(service.file);
      this.#lines.set(service.file, lines);
      const line = lines(pointer);
      return { ...finding, place: { pointer, file: service.file, ...(line !== undefined && { line }) } };
    });
    return found.toSorted((a, b) => (a.certainty < b.certainty ? -1 : a.certainty > b.certainty ? 1 : 0));
  }

  notes(): string[] {
    return [...this.#notes];
  }
}
