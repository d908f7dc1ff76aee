import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { Locator } from "@trainyard/document/files";
import { pointerTokens } from "@trainyard/core/validation";
import { bases, basisAt, type Basis } from "@trainyard/document";
import { withoutSecrets } from "../request.ts";
import type { LiveService } from "../contract.ts";
import type { Exchange } from "./wire.ts";

/**
 * `contradicts`: the contract says otherwise. `differs from a proposal`: so does a part of it whose basis is weaker than that of the
 * run. `not declared`: the contract does not mention it.
 */
export type Certainty = "contradicts" | "differs from a proposal" | "not declared";

const proposal: Certainty = "differs from a proposal";

/** One difference between a service and its contract. */
export interface Finding {
  /** The same in each run, for a baseline. */
  readonly id: string;
  readonly service: string;
  /** The names of the operations; empty if it concerns none, such as for an unknown path. */
  readonly operations: readonly string[];
  readonly certainty: Certainty;
  /** Where the contract says it: a JSON Pointer, with file and line if the service's document is a file, or consists of files. */
  readonly place: { readonly pointer: string; readonly file?: string; readonly line?: number };
  readonly says: string;
  /** The basis of that sentence in the contract; `http` for a rule of HTTP itself. */
  readonly basis: Basis | "http" | undefined;
  /** What the service did instead, without keys and without sensitive values. */
  readonly seen: string;
  /** The request: `GET /v1/health, without a key`. */
  readonly request: string;
  readonly requestId: string | undefined;
  readonly times: number;
}

export interface Breach extends Pick<Finding, "says" | "seen"> {
  readonly pointer: string;
  /** `contradicts` by default. */
  readonly certainty?: "contradicts" | "not declared";
  /** The basis at the pointer by default. */
  readonly basis?: Finding["basis"];
  /** Whether the interface does not say it, even if it says what is at the pointer: the basis is `adopted` at most. */
  readonly isAdopted?: boolean | undefined;
}

export function shownRequest({ service, sent, tried }: Exchange): string {
  const text = `${sent.method} ${sent.url.replace(service.baseUrl, "")}${tried === "" ? "" : `, ${tried}`}`;
  return withoutSecrets(text, Object.values(service.credentials));
}

export class Findings {
  readonly #floor: Basis;
  readonly #found = new Map<string, Finding>();
  readonly notes: Set<string> = new Set();
  readonly #locators = new Map<string, Locator>();

  /** @param floor the weakest basis of what a service must keep */
  constructor(floor: Basis) {
    this.#floor = floor;
  }

  add(exchange: Exchange, { pointer, says, seen, certainty = "contradicts", ...given }: Breach): Finding | undefined {
    const { service, operation, answer } = exchange;
    const found = given.basis ?? basisAt(service.document.root, pointer);
    const basis = given.isAdopted === true && found === "interface" ? "adopted" : found;
    // What no basis is known of, as in a stranger's document, and what HTTP says must be kept.
    const isProposal = bases.slice(0, bases.indexOf(this.#floor)).some((weaker) => weaker === basis);
    // What contradicts a component has one cause, in whichever operations the component occurs.
    const isShared = pointer.startsWith("#/components/");
    const what = certainty === "contradicts" ? [says, /^status \d+/.exec(seen)?.[0] ?? ""] : [seen];
    const key = [service.name, certainty, pointer, ...(isShared ? what : [operation?.id ?? "", says])].join("\n");
    const before = this.#found.get(key);
    const names = operation === undefined ? [] : [operation.name];
    const finding: Finding = {
      id: createHash("sha256").update(key).digest("hex").slice(0, 10),
      service: service.name,
      operations: [...new Set([...(before?.operations ?? []), ...names])],
      certainty: isProposal && certainty === "contradicts" ? proposal : certainty,
      place: before?.place ?? this.#placeOf(service, pointer),
      says,
      basis,
      seen: withoutSecrets(seen, Object.values(service.credentials)),
      request: shownRequest(exchange),
      requestId: answer.headers.get("x-request-id") ?? undefined,
      times: (before?.times ?? 0) + 1,
    };
    // A later request may show that the same cause contradicts more than a proposal.
    const isNew = before === undefined || (before.certainty === proposal && finding.certainty !== proposal);
    const { operations, times } = finding;
    this.#found.set(key, isNew ? finding : { ...before, operations, times });
    return isNew ? finding : undefined;
  }

  /** The pointer, with file and line if the service's document is a file: those of the file that people edit. */
  #placeOf({ file }: LiveService, pointer: string): Finding["place"] {
    if (file === undefined) return { pointer };
    const [, root, edited] = /^(.*)[\\/](openapi[\\/][^\\/]+[\\/]openapi\.yaml)$/.exec(file) ?? [];
    const folder = root ?? dirname(file);
    const locator = this.#locators.get(file) ?? new Locator(folder, edited === undefined ? new Map() : undefined);
    this.#locators.set(file, locator);
    const { file: at, line } = locator.locate(edited ?? basename(file), pointerTokens(pointer));
    return { pointer, file: join(folder, at), ...(line !== undefined && { line }) };
  }

  all(): Finding[] {
    return [...this.#found.values()].toSorted((a, b) => a.certainty.localeCompare(b.certainty));
  }
}
