import type { RequestMessage } from "../protocol.ts";
import { part } from "./part.ts";

/** The most requests that are shown: many rollouts make hundreds. */
const most = 200;

interface Row {
  readonly details: HTMLElement;
  readonly status: HTMLElement;
  readonly took: HTMLElement;
  answer: string;
  isStream: boolean;
  stream: HTMLElement | undefined;
  rest: string;
}

/** The requests of a run, each with its response. */
export class Requests {
  readonly #head: HTMLElement;
  readonly #list: HTMLElement;
  readonly #rows = new Map<number, Row>();
  #count = 0;

  constructor(parent: HTMLElement) {
    const section = part(parent, "section", "run-requests");
    this.#head = part(section, "p", "run-count");
    this.#list = part(section, "ol");
  }

  receive(message: RequestMessage): void {
    if (message.kind === "request") return this.#add(message);
    const row = this.#rows.get(message.id);
    if (row === undefined) return;
    if (message.kind === "answer") {
      row.status.textContent = String(message.status);
      row.status.classList.toggle("bad", message.status >= 400);
      row.isStream = message.isStream;
    } else if (message.kind === "part") {
      if (row.isStream) addEvents(row, message.text);
      else row.answer += message.text;
    } else {
      row.took.textContent = `${Math.max(1, Math.round(message.milliseconds))} ms`;
      if (row.answer !== "") shown(row.details, "Answer", pretty(row.answer));
    }
  }

  #add({ id, method, path, body }: Extract<RequestMessage, { kind: "request" }>): void {
    this.#count++;
    const hidden = this.#count > most ? `, of which the first ${most} are shown` : "";
    this.#head.textContent = this.#count === 1 ? "1 request" : `${this.#count} requests${hidden}`;
    if (this.#count > most) return;
    const details = part(part(this.#list, "li"), "details");
    const summary = part(details, "summary");
    part(summary, "span", `run-verb ${method.toLowerCase()}`, method);
    part(summary, "code", "", path);
    const status = part(summary, "span", "run-code", "…");
    const took = part(summary, "span", "run-took");
    if (body !== "") shown(details, "Sent", pretty(body));
    this.#rows.set(id, { details, status, took, answer: "", isStream: false, stream: undefined, rest: "" });
  }
}

/** Adds the events of a stream as they arrive: each ends with an empty line. */
function addEvents(row: Row, text: string): void {
  row.stream ??= shown(row.details, "Stream, by event", "");
  const events = (row.rest + text).split("\n\n");
  row.rest = events.pop() ?? "";
  for (const event of events) part(row.stream, "span", "run-event", `${event}\n`);
}

function shown(parent: HTMLElement, label: string, text: string): HTMLElement {
  part(parent, "p", "run-label", label);
  const pre = part(parent, "pre", "", text);
  pre.tabIndex = 0;
  pre.ariaLabel = label;
  pre.role = "region";
  return pre;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
