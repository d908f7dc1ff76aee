import { pointerTokens } from "@trainyard/core/validation";
import { unaskedMedia } from "./answer-kinds.ts";
import type { Document } from "./read-document.ts";

/** What a document leaves out and is derived, at one place. */
export interface DerivedFact {
  /** `users.listUsers`, or the name of an option or type. */
  readonly name: string;
  /** `GET /users`, or a pointer into the document. */
  readonly place: string;
  /** The first word says what was derived: `method from operationId list_users and tag Users`, `resend always (GET)`. */
  readonly reasons: readonly string[];
}

/** What was derived for one operation. */
export interface DerivedOperation extends DerivedFact {
  /** `GET`. */
  readonly method: string;
  readonly path: string;
}

/** The operations with facts that the document does not declare, in its order. */
export function derivedFacts({ operations }: Pick<Document, "operations">): DerivedOperation[] {
  return operations.flatMap((operation) => {
    const { name, method, path, derived } = operation;
    const unasked = unaskedMedia(operation);
    const reasons = unasked.length > 0 ? [...derived, `answer without ${unasked.join(", ")}`] : derived;
    return reasons.length === 0 ? [] : [{ name, method, path, place: `${method} ${path}`, reasons }];
  });
}

/** The security schemes whose client option does not have the name of their component. */
export function derivedOptions({ operations }: Pick<Document, "operations">): DerivedFact[] {
  const schemes = operations.flatMap(({ security }) => security.flat());
  const rows = schemes.flatMap(({ name, pointer }): [string, DerivedFact][] => {
    const component = pointerTokens(pointer).at(-1) ?? "";
    const reasons = [`option from security scheme ${component}`];
    return component === name ? [] : [[name, { name, place: pointer, reasons }]];
  });
  return [...new Map(rows).values()];
}

/** One line for each place: the name, the place and the reasons, in columns. */
export function explainFacts(facts: readonly DerivedFact[]): string[] {
  const width = (key: "name" | "place"): number => facts.reduce((most, fact) => Math.max(most, fact[key].length), 0);
  const [names, places] = [width("name"), width("place")];
  return facts.map(({ name, place, reasons }) =>
    // A document may contain line breaks in its names.
    `${name.padEnd(names)} ${place.padEnd(places)}  ${reasons.join("; ")}`.replaceAll(/\p{Control}/gu, " "),
  );
}

const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  method: ["method", "methods"],
  resend: ["value of x-resend", "values of x-resend"],
  answer: ["choice of media types", "choices of media types"],
  option: ["option of a security scheme", "options of security schemes"],
  type: ["name of a type", "names of types"],
  component: ["name of a component", "names of components"],
};

/** How much was derived, in a sentence: `113 methods were derived.` */
export function countFacts(facts: readonly DerivedFact[]): string {
  const counts = Object.entries(nouns).flatMap(([kind, [one, many]]) => {
    const count = facts.filter(({ reasons }) => reasons[0]?.startsWith(`${kind} `)).length;
    return count === 0 ? [] : `${count} ${count === 1 ? one : many}`;
  });
  const verb = facts.length < 2 ? "was" : "were";
  return `${new Intl.ListFormat("en-GB").format(counts) || "Nothing"} ${verb} derived.`;
}
