/** The values of a document's components, as each tool judges them and as the document says. */
import { directed, directions, judgeOf, modern, opened, taggedIn, type Direction, type Judge } from "./letter.ts";
import { erased } from "./erase.ts";
import type { Source, Subject } from "./subject.ts";
import type { Kind, Tally } from "./tally.ts";
import type { Assigned } from "./types.ts";
import { valuesOf } from "./values.ts";

/** A value of which the compiler has yet to say whether it has its type. */
export interface Pending extends Assigned {
  readonly tell: (hasType: boolean) => void;
}

/** What the document says in one direction. */
interface Letter {
  /** Without unlisted members of open sets, which nobody may send. */
  readonly closed: Judge;
  /** With them, as clients read them. */
  readonly open: Judge;
  /** What types can say of it. */
  readonly said: Judge;
}

/** Judges values of each component. Returns what its types have to say of them. */
export function judgeValues(tally: Tally, subject: Subject, count: number): Pending[] {
  const letters = lettersOf(subject);
  const tagged = taggedIn(subject.schemas);
  return Object.keys(subject.schemas).flatMap((name) =>
    judgeComponent(tally, subject, name, { letters, hasTags: tagged.has(name), count }),
  );
}

function lettersOf({ schemas, isOurs = false }: Source): Readonly<Record<Direction, Letter>> {
  const [request, response] = directions.map((direction): Letter => {
    const inDirection = directed(modern(schemas), direction);
    const closed = judgeOf(inDirection);
    const open = isOurs ? judgeOf(opened(inDirection)) : closed;
    return { closed, open, said: judgeOf(erased(inDirection, direction)) };
  });
  if (request === undefined || response === undefined) throw new Error("There are two directions.");
  return { request, response: /"(readOnly|writeOnly)":true/.test(JSON.stringify(schemas)) ? response : request };
}

interface Judging {
  readonly letters: Readonly<Record<Direction, Letter>>;
  readonly hasTags: boolean;
  readonly count: number;
}

function judgeComponent(tally: Tally, subject: Subject, name: string, { letters, hasTags, count }: Judging): Pending[] {
  const { name: document, schemas, host } = subject;
  const pending: Pending[] = [];
  const verdicts = new Set<boolean>();
  let before: string | undefined;
  for (const direction of directions) {
    const { closed, open, said } = letters[direction];
    const { type, isValid } = subject.client(name, direction);
    const differ = (kind: Kind, value: unknown, tool: boolean, right: boolean) => {
      const [own, other] = [tool, right].map((one) => (one ? "valid" : "invalid"));
      const says = `${own} in a ${direction}, ${other} to the letter`;
      if (tool !== right) tally.differences.push({ kind, document, schema: name, what: JSON.stringify(value), says });
    };
    for (const value of valuesOf(modern(schemas), name, count)) {
      const strict = closed(name, value);
      const judged = host(name, direction, value);
      // Where tags are read, the letter is no witness: the tools agree with each other.
      const [right, sendable, readable] = hasTags
        ? [judged, host(name, "request", value), host(name, "response", value)]
        : [direction === "request" ? strict : open(name, value), strict, open(name, value)];
      verdicts.add(right);
      differ(direction === "request" ? "requests" : "answers", value, judged, right);
      // What one type says in both directions is looked at once.
      if (type === before && letters.request.closed(name, value) === strict) continue;
      tally.values++;
      if (strict) tally.valid++;
      differ("client", value, isValid(value), readable);
      if (strict === said(name, value))
        pending.push({ client: document, type, value, tell: (hasType) => differ("types", value, hasType, sendable) });
      else tally.unsaid++;
    }
    before = type;
  }
  tally.schemas++;
  if (verdicts.size < 2) tally.oneSided.push(`${document} ${name}`);
  for (const direction of ["request", "response"] as const)
    judgeSample(tally, subject, name, direction, (value) =>
      hasTags ? host(name, direction, value) : letters[direction].closed(name, value),
    );
  return pending;
}

function judgeSample(
  tally: Tally,
  { name: document, sample }: Subject,
  name: string,
  direction: Direction,
  isRight: (value: unknown) => boolean,
): void {
  const add = (what: string, says: string) =>
    tally.differences.push({ kind: "samples", document, schema: name, what, says });
  try {
    const value = sample(name, direction);
    if (!isRight(value)) add(JSON.stringify(value), "made, and invalid to the letter");
  } catch (error) {
    add("none", String(error));
  }
}
