import { type DocumentNode, reach, references, type Json, same, meaningOf } from "@trainyard/document";
import type { Change, Effect } from "./change.ts";
import { type Document } from "./document.ts";
import { pointerTokens } from "@trainyard/core/validation";
import { brief } from "./json.ts";
import { type Kind, ratings } from "./kinds.ts";
import { describeLocation } from "./location.ts";
import { type Role, roles, worst } from "./verdict.ts";

/** The older and the newer document. */
export type Side = "base" | "revision";

/** What both sides have. */
export function sides<T>(of: (side: Side) => T): Readonly<Record<Side, T>> {
  return { base: of("base"), revision: of("revision") };
}

/** The same location in both documents. The value is undefined on a side that does not have it. */
export type Pair = Readonly<Record<Side, DocumentNode>>;

interface Finding {
  readonly kind: Kind;
  readonly role: Role;
  readonly what: string;
  readonly pair: Pair;
  readonly subject: string;
  readonly gone: readonly Json[];
}

/** A schema that is nested deeper is compared after the one that contains all, because each level takes stack. */
const deepest = 100;

/** A node of the comparison, with its findings and the nodes below. It may contain itself. */
class Trace {
  readonly findings: Finding[] = [];
  readonly below: Set<Trace> = new Set();
  /** The number of findings at this node and below when it was first left. */
  count = 0;
}

/** What a finding concerns. */
interface Position {
  readonly trace: Trace;
  /** The role in which callers use what is compared. */
  readonly role: Role;
  /** Whether the service sends the requests. */
  readonly isTurned: boolean;
  readonly subject: string;
}

/**
 * Collects the differences between two documents of one service. Each location is compared once for each role. A finding
 * concerns the operations that reach it.
 */
export class Comparison {
  readonly base: Document;
  readonly revision: Document;
  readonly #operations: Map<string, Trace> = new Map();
  readonly #memo: Map<string, Trace> = new Map();
  /** Pointers that references have, and where something differs or refers to what does. */
  readonly #changed: ReadonlySet<string>;
  #at: Position = { trace: new Trace(), role: "call", isTurned: false, subject: "" };
  #count = 0;
  #depth = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(base: Document, revision: Document) {
    this.base = base;
    this.revision = revision;
    this.#operations.set("", this.#at.trace);
    this.#changed = changedTargets(base, revision);
  }

  /** Whether a pair cannot differ: both sides are equal, and so is everything that they refer to. */
  untouched({ base, revision }: Pair): boolean {
    return same(base.value, revision.value) && references(base.value).every((target) => !this.#changed.has(target));
  }

  /** Whether both sides mean the same, in other words, and so does all that they refer to. */
  hasOneMeaning(pair: Pair): boolean {
    if (same(pair.base.value, pair.revision.value)) return false;
    const { base, revision } = sides((side) =>
      meaningOf(this[side].root, pair[side], ({ value }) =>
        references(value).some((target) => this.#changed.has(target)) ? side : JSON.stringify(value),
      ),
    );
    return base === revision;
  }

  /** Records a change at the pair's location. `what` is a sentence, and `gone` has the values that are removed there. */
  report(kind: Kind, pair: Pair, what: string, gone: readonly Json[] = []): void {
    this.#count++;
    const { trace, role, subject } = this.#at;
    trace.findings.push({ kind, role, what, pair, gone, subject });
  }

  get role(): Role {
    return this.#at.role;
  }

  /** Compares in another role. */
  as(role: Role, compare: () => void): void {
    this.#in({ role: this.#at.isTurned ? (turns[role] ?? role) : role }, compare);
  }

  /** Compares requests of the service to callers: callers read these requests, and send the responses. */
  turned(compare: () => void): void {
    this.#in({ isTurned: true }, compare);
  }

  /** Findings inside concern programs that use this node of the older document. */
  about(subject: DocumentNode, compare: () => void): void {
    this.#in({ subject: subject.pointer }, compare);
  }

  /** Findings inside concern the operation of that name. */
  operation(name: string, compare: () => void): void {
    const trace = this.#operations.get(name) ?? new Trace();
    this.#operations.set(name, trace);
    this.#within(trace, compare);
  }

  /** Compares a pair once for each role, however often it occurs. */
  once(pair: Pair, compare: () => void): void {
    const at = key(this.role, pair);
    const remembered = this.#memo.get(at);
    if (remembered !== undefined) {
      this.#at.trace.below.add(remembered);
      this.#count += remembered.count;
      return;
    }
    const trace = new Trace();
    this.#memo.set(at, trace);
    this.#at.trace.below.add(trace);
    const { role, isTurned } = this.#at;
    const run = (): void =>
      this.#in({ role, isTurned, subject: pair.base.pointer }, () => this.#within(trace, compare));
    if (this.#depth < deepest) run();
    else this.#waiting.push(run);
  }

  /** Whether a pair was compared, or has a finding at it or below. */
  met({ base, revision }: Pair): boolean {
    if (roles.some((role) => this.#memo.has(key(role, { base, revision })))) return true;
    return [...this.#operations.values()].some((trace) =>
      [...reached(trace)].some(
        ({ pair }) => isWithin(pair.base.pointer, base.pointer) || isWithin(pair.revision.pointer, revision.pointer),
      ),
    );
  }

  /** Runs a comparison that must find something if the values differ. If it finds nothing, the change is unclassified. */
  exhaust(pair: Pair, compare: () => void, kind: "unclassified" | "rewritten" = "unclassified"): void {
    const before = this.#count;
    compare();
    if (this.#count > before || same(pair.base.value, pair.revision.value)) return;
    const key = pointerTokens(pair.revision.pointer).at(-1);
    const unknown = `No rule covers \`${key}\`: ${brief(pair.base.value)} became ${brief(pair.revision.value)}.`;
    this.report(kind, pair, kind === "rewritten" ? "The same is said in another form." : unknown);
  }

  #within(trace: Trace, compare: () => void): void {
    const count = this.#count;
    this.#depth++;
    this.#in({ trace }, compare);
    if (this.#depth === 1) {
      for (const next of this.#waiting) next();
      this.#waiting.length = 0;
    }
    this.#depth--;
    trace.count = this.#count - count;
  }

  #in(change: Partial<Position>, compare: () => void): void {
    const before = this.#at;
    this.#at = { ...before, ...change };
    compare();
    this.#at = before;
  }

  /** All changes, with each location and kind once. */
  changes(): Change[] {
    const found = new Map<string, { finding: Finding; operations: Map<Role, Set<string>> }>();
    for (const [name, trace] of this.#operations) {
      for (const finding of reached(trace)) {
        const { kind, pair, what, role } = finding;
        const at = [kind, pair.base.pointer, pair.revision.pointer, what].join("\n");
        const entry = found.get(at) ?? { finding, operations: new Map() };
        found.set(at, entry);
        const names = entry.operations.get(role) ?? new Set();
        entry.operations.set(role, names);
        if (name !== "") names.add(name);
      }
    }
    return [...found.values()].map(({ finding, operations }) => this.#change(finding, operations));
  }

  #change({ kind, pair, what, subject, gone: lost }: Finding, operations: Map<Role, Set<string>>): Change {
    const effects = roles.flatMap((role): Effect[] => {
      const names = operations.get(role);
      if (names === undefined) return [];
      const rated = ratings(kind, role);
      if (rated.length === 0) throw new Error(`No verdict for ${kind} in the role "${role}". Add it to kinds.ts.`);
      return rated.map((one) => ({ role, ...one, operations: [...names] }));
    });
    const side = pair.revision.value === undefined ? "base" : "revision";
    const place = describeLocation(this[side], pair[side].pointer);
    const values = valuesIn(what, place);
    return {
      service: this.revision.service,
      kind,
      verdict: worst(effects.map((effect) => effect.verdict)),
      place,
      what,
      ...(values !== undefined && { values }),
      ...(lost.length > 0 && { gone: lost }),
      effects,
      base: pair.base.pointer,
      revision: pair.revision.pointer,
      subject,
    };
  }
}

/** The values in a sentence: `0 → 1`, or what it names in code spans and its place does not. */
function valuesIn(what: string, place: string): string | undefined {
  const [, was, is] = /`([^`]*)` (?:became|was renamed to) `([^`]*)`/.exec(what) ?? [];
  if (was !== undefined) return `${was} → ${is}`;
  const named = new Set(place.split(/[^\w-]+/));
  const spans = [...what.matchAll(/`([^`]*)`/g)].map(([, span = ""]) => span).filter((span) => !named.has(span));
  return spans.length === 0 ? undefined : spans.join(" ");
}

const turns: Partial<Record<Role, Role>> = { send: "read", read: "send", error: "send" };

/** What references lead to and differs, or refers to what does. */
function changedTargets(base: Document, revision: Document): ReadonlySet<string> {
  const changed = new Set<string>();
  const users = new Map<string, string[]>();
  for (const pointer of new Set([base, revision].flatMap(({ root }) => references(root)))) {
    const sides = [base, revision].map((document) => document.at(pointer).value);
    if (!same(sides[0], sides[1])) changed.add(pointer);
    for (const target of sides.flatMap(references)) users.set(target, [...(users.get(target) ?? []), pointer]);
  }
  for (const pointer of changed) for (const user of users.get(pointer) ?? []) changed.add(user);
  return changed;
}

function key(role: Role, { base, revision }: Pair): string {
  return `${role} ${base.pointer} ${revision.pointer}`;
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

function reached(root: Trace): Set<Finding> {
  return new Set(reach([root], ({ below }) => [...below]).flatMap(({ findings }) => findings));
}
