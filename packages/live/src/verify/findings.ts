import { existsSync, readFileSync } from "node:fs";
import { isObject, joinPointer, pointerTokens, resolvePointer } from "@trainyard/core/validation";
import { dialect, type Basis } from "@trainyard/document";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { withoutSecrets } from "../request.ts";
import type { LiveService } from "../contract.ts";
import type { Exchange } from "./wire.ts";

/** `contradicts`: the contract says otherwise. `not declared`: the contract does not mention it. */
export type Certainty = "contradicts" | "not declared";

/** One difference between a service and its contract. */
export interface Finding {
  readonly service: string;
  /** The operation's name; undefined if it concerns none, such as for an unknown path. */
  readonly operation: string | undefined;
  readonly certainty: Certainty;
  /** Where the contract says it: a JSON Pointer, with file and line if the service's document is a file. */
  readonly place: { readonly pointer: string; readonly file?: string; readonly line?: number };
  /** What the contract says. */
  readonly says: string;
  /** The basis of that sentence in the contract; `http` for a rule of HTTP itself. */
  readonly basis: Basis | "http" | undefined;
  /** What the service did instead, without keys and without sensitive values. */
  readonly seen: string;
  /** The request: `GET /v1/health, without a key`. */
  readonly request: string;
  /** The id of the request, for questions about the response. */
  readonly requestId: string | undefined;
  /** How often it occurred. */
  readonly times: number;
}

/** A finding, as the probe that made it reports it. */
export interface Breach extends Pick<Finding, "says" | "seen"> {
  readonly pointer: string;
  /** `contradicts` by default. */
  readonly certainty?: Certainty;
  /** The basis at the pointer by default. */
  readonly basis?: Finding["basis"];
}

/** A request without its key: `GET /v1/health, without a key`. */
export function shownRequest({ service, sent, tried }: Exchange): string {
  const text = `${sent.method} ${sent.url.replace(service.baseUrl, "")}${tried === "" ? "" : `, ${tried}`}`;
  return withoutSecrets(text, Object.values(service.credentials));
}

/** The findings, each once. */
export class Findings {
  readonly #found = new Map<string, Finding>();
  /** What could not be checked, and why. */
  readonly notes: Set<string> = new Set();
  readonly #lines = new Map<string, (pointer: string) => number | undefined>();

  add(exchange: Exchange, { pointer, says, seen, certainty = "contradicts", basis }: Breach): void {
    const { service, operation, answer } = exchange;
    // What a component does not declare is one finding, wherever the component occurs.
    const isShared = certainty === "not declared" && pointer.startsWith("#/components/");
    const key = [service.name, certainty, pointer, ...(isShared ? [seen] : [operation?.id, says])].join("\n");
    const before = this.#found.get(key);
    this.#found.set(
      key,
      before === undefined
        ? {
            service: service.name,
            operation: operation?.name,
            certainty,
            place: this.#placeOf(service, pointer),
            says,
            basis: basis ?? basisAt(service.document.root, pointer),
            seen: withoutSecrets(seen, Object.values(service.credentials)),
            request: shownRequest(exchange),
            requestId: answer.headers.get("x-request-id") ?? undefined,
            times: 1,
          }
        : { ...before, times: before.times + 1 },
    );
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
}

/** The basis at a pointer: that of the object itself, or of the nearest object around it that has one. */
function basisAt(root: object, pointer: string): Basis | undefined {
  const tokens = pointerTokens(pointer);
  for (; tokens.length > 0; tokens.pop()) {
    const node = resolvePointer(root, joinPointer("#", ...tokens));
    const basis = isObject(node) ? dialect.basis.read(node) : undefined;
    if (basis !== undefined) return basis;
  }
  return undefined;
}

/** Finds the line of a pointer in a file, from 1: that of its nearest parent if the file does not have the pointer. */
function linesOf(file: string): (pointer: string) => number | undefined {
  if (!existsSync(file)) return () => undefined;
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(file, "utf8"), { lineCounter: counter });
  return (pointer) => {
    const tokens = pointerTokens(pointer);
    for (let key = tokens.pop(); key !== undefined; key = tokens.pop()) {
      const parent = tokens.length === 0 ? document.contents : document.getIn(tokens, true);
      const pair = isMap(parent)
        ? parent.items.find((one) => isScalar(one.key) && String(one.key.value) === key)
        : undefined;
      const node: unknown = isSeq(parent) ? parent.items[Number(key)] : pair?.key;
      if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
    }
    return 1;
  };
}
