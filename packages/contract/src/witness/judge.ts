import type { Change, Effect } from "../change.ts";
import type { Document } from "../document.ts";
import type { Kind } from "../kinds.ts";
import { pointerTokens as tokens } from "@trainyard/core/validation";
import type { Fault } from "./compile.ts";
import { type Probe, reach } from "./probes.ts";

/** Breaking kinds that a compiler can detect in schemas. */
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

/** Breaking kinds that a compiler can detect in operations. */
const seenInCalls: ReadonlySet<Kind> = new Set<Kind>([
  "operation-removed",
  "method-renamed",
  "method-removed",
  "pagination-added",
]);

/** Kinds after which an open set has members that older types do not list. */
const growing: ReadonlySet<Kind> = new Set<Kind>(["member-added", "set-opened", "types-widened"]);

/** The compiler's disagreements with the rules, each as a sentence. */
export interface Disagreements {
  /** Code that no longer compiles although the rules call every change harmless. */
  readonly faults: readonly string[];
  /** Findings that a compiler cannot detect, or that cannot be attributed, for closer inspection. */
  readonly notes: readonly string[];
}

/**
 * Compares the compiler's results with the verdicts. A compiler does not see the wire, so code that still compiles is a
 * note. Code that no longer compiles is a fault if the rules call every change harmless; beside a breaking change, whose
 * version announces it, it is a note too.
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
  const broken = groupByMessage(
    unforeseen.map(({ probe, message }) => ({ key: message, name: named(probe) })),
    (names, message) => `${names} no longer compiles, and no change there is called breaking: ${message}`,
  );
  const passed = unseen.map(
    ({ place, what }) => `${place}: "${what}" still compiles. A compiler does not see the wire.`,
  );
  return harmless ? { faults: broken, notes: passed } : { faults: [], notes: [...broken, ...passed] };
}

/** One sentence for all probes that fail for the same reason. */
function groupByMessage(
  all: readonly { readonly key: string; readonly name: string }[],
  sentence: (names: string, key: string) => string,
): string[] {
  const keys = [...new Set(all.map(({ key }) => key))];
  return keys.map((key) => {
    const [first = "", ...rest] = new Set(all.filter((one) => one.key === key).map(({ name }) => name));
    return sentence(rest.length === 0 ? first : `${first} (and ${rest.length} more)`, key);
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

/** Whether a breaking change explains a probe that does not compile. */
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

/** Errors are read like responses. */
function sameWay(role: Effect["role"], way: "send" | "read"): boolean {
  return role === way || (role === "error" && way === "read");
}

/** Whether a probe must fail because of a breaking change. */
function shows(change: Change, { about }: Probe): boolean {
  return breaking(change).some(({ role, operations }) => {
    if ("operation" in about) {
      return seenInCalls.has(change.kind) && operations.includes(about.operation);
    }
    // To the compiler, integers are numbers.
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
