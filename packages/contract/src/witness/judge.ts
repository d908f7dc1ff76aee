import type { Change, Effect } from "../change.ts";
import type { Document } from "../document.ts";
import type { Kind } from "../kinds.ts";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import type { Fault } from "./compile.ts";
import { type Probe, reach } from "./probes.ts";

/** Breaking kinds that a compiler can see where a schema has them. */
const seenInSchemas: ReadonlySet<Kind> = new Set<Kind>([
  "property-removed",
  "property-renamed",
  "property-required",
  "property-optional",
  "property-added-required",
  "type-changed",
  "type-widened",
  "type-narrowed",
  "null-added",
  "null-removed",
  "value-added",
  "value-removed",
  "value-changed",
  "variant-added",
  "variant-removed",
]);

/** The same, where an operation has them. */
const seenInCalls: ReadonlySet<Kind> = new Set<Kind>([
  "operation-removed",
  "method-renamed",
  "method-removed",
  "pagination-added",
]);

/** Kinds after which a set has members that older types do not list, as was said it might. */
const growing: ReadonlySet<Kind> = new Set<Kind>(["member-added", "set-opened", "types-widened"]);

/** What the compiler says otherwise than the rules, each as a sentence. */
export interface Disagreements {
  /** What no longer compiles although the rules call every change harmless. */
  readonly faults: readonly string[];
  /** What the compiler cannot see or nobody can tell where it comes from: for who looks closer. */
  readonly notes: readonly string[];
}

/**
 * Compares what the compiler says with the verdicts. A compiler does not see the wire, so that what it lets pass is a note.
 * What no longer compiles is a fault where the rules call all changes harmless; beside a breaking change, whose version
 * says that programs may break, it is a note as well.
 */
export function disagreements(
  base: Document,
  changes: readonly Change[],
  probes: readonly Probe[],
  failed: readonly Fault[],
): Disagreements {
  const unforeseen = failed.filter(({ probe }) => !changes.some((change) => explains(base, change, probe)));
  const unseen = changes.filter((change) => {
    const expected = probes.filter((probe) => shows(change, probe));
    return expected.length > 0 && !expected.some((probe) => failed.some((fault) => fault.probe === probe));
  });
  const harmless = changes.every(({ verdict }) => verdict !== "breaking");
  const broken = told(
    unforeseen.map(({ probe, message }) => ({ key: message, words: named(probe) })),
    (names, message) => `${names} no longer compiles, and no change there is called breaking: ${message}`,
  );
  const passed = unseen.map(
    ({ place, what }) => `${place}: "${what}" still compiles. A compiler does not see the wire.`,
  );
  return harmless ? { faults: broken, notes: passed } : { faults: [], notes: [...broken, ...passed] };
}

/** One sentence for all that fails for the same reason. */
function told(
  all: readonly { readonly key: string; readonly words: string }[],
  sentence: (names: string, key: string) => string,
): string[] {
  const keys = [...new Set(all.map(({ key }) => key))];
  return keys.map((key) => {
    const [first = "", ...more] = new Set(all.filter((one) => one.key === key).map(({ words }) => words));
    return sentence(more.length === 0 ? first : `${first} (and ${more.length} more)`, key);
  });
}

function named({ about }: Probe): string {
  if ("operation" in about)
    return about.role === "send" ? `A call of ${about.operation}` : `The answer of ${about.operation}`;
  return about.role === "send" ? `A ${about.schema} that is sent` : `A ${about.schema} that is read`;
}

function breaking({ effects }: Change): Effect[] {
  return effects.filter(({ verdict }) => verdict === "breaking");
}

/** Whether a change called breaking accounts for a probe that does not compile. */
function explains(base: Document, change: Change, { about }: Probe): boolean {
  const effects = growing.has(change.kind) ? change.effects : breaking(change);
  return effects.some(({ role, operations }) => {
    if ("operation" in about)
      return (sameWay(role, about.role) || role === "call") && operations.includes(about.operation);
    if (!sameWay(role, about.role)) return false;
    const within = reach(base, about.schema);
    return schemasOf(change).some((schema) => within.has(schema));
  });
}

/** What is read from an error is read. */
function sameWay(role: Effect["role"], way: "send" | "read"): boolean {
  return role === way || (role === "error" && way === "read");
}

/** Whether a probe has to fail for a change called breaking. */
function shows(change: Change, { about }: Probe): boolean {
  return breaking(change).some(({ role, operations }) => {
    if ("operation" in about) {
      return seenInCalls.has(change.kind) && operations.includes(about.operation);
    }
    // Integers are numbers to the compiler.
    if (!seenInSchemas.has(change.kind) || /`[^`]*integer[^`]*`/.test(change.what)) return false;
    return sameWay(role, about.role) && schemasOf(change).includes(about.schema);
  });
}

function schemaOf(pointer: string): string | undefined {
  const [components, schemas, name] = tokens(pointer);
  return components === "components" && schemas === "schemas" ? name : undefined;
}

function schemasOf({ base, revision, subject }: Change): string[] {
  return [base, revision, subject].flatMap((pointer) => schemaOf(pointer) ?? []);
}
