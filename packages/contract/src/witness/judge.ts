import type { Change, Effect } from "../change.ts";
import type { Document } from "../document.ts";
import type { Kind } from "../kinds.ts";
import { tokens } from "../pointer.ts";
import type { Fault } from "./compile.ts";
import { type Probe, reach } from "./probes.ts";

/** Breaking kinds that cannot pass the compiler, where a schema has them. */
const seenInSchemas: ReadonlySet<Kind> = new Set<Kind>([
  "property-removed",
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

/**
 * Compares what the compiler says with the verdicts. Gives a sentence for each place where they differ: what fails to
 * compile and was called breaking by no change, and what was called breaking and compiles.
 */
export function disagreements(
  base: Document,
  changes: readonly Change[],
  probes: readonly Probe[],
  faults: readonly Fault[],
): string[] {
  const unforeseen = faults.filter(({ probe }) => !changes.some((change) => explains(base, change, probe)));
  const unseen = changes.filter((change) => {
    const expected = probes.filter((probe) => shows(change, probe));
    return expected.length > 0 && !expected.some((probe) => faults.some((fault) => fault.probe === probe));
  });
  return [
    ...unforeseen.map(
      ({ probe, message }) => `${named(probe)} no longer compiles, and no change there is called breaking: ${message}`,
    ),
    ...unseen.map(({ place, what }) => `${place}: "${what}" is called breaking, and everything there still compiles.`),
  ];
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
  return breaking(change).some(({ role, operations }) => {
    if ("operation" in about) return (role === about.role || role === "call") && operations.includes(about.operation);
    if (role !== about.role) return false;
    const within = reach(base, about.schema);
    return schemasOf(change).some((schema) => within.has(schema));
  });
}

/** Whether a probe has to fail for a change called breaking. */
function shows(change: Change, { about }: Probe): boolean {
  return breaking(change).some(({ role, operations }) => {
    if ("operation" in about) {
      return seenInCalls.has(change.kind) && operations.includes(about.operation);
    }
    // Integers are numbers to the compiler.
    if (!seenInSchemas.has(change.kind) || /`[^`]*integer[^`]*`/.test(change.what)) return false;
    return role === about.role && schemasOf(change).includes(about.schema);
  });
}

function schemaOf(pointer: string): string | undefined {
  const [components, schemas, name] = tokens(pointer);
  return components === "components" && schemas === "schemas" ? name : undefined;
}

function schemasOf({ base, revision, subject }: Change): string[] {
  return [base, revision, subject].flatMap((pointer) => schemaOf(pointer) ?? []);
}
