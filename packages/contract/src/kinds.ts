import { type KeyChange, keyChanges } from "@trainyard/document";
import type { Audience, Role, Verdict } from "./verdict.ts";

/** A verdict for one audience, and the sentence that gives its reason. */
export interface Rating {
  readonly verdict: Verdict;
  readonly audience: Audience;
  readonly why: string;
}

/** How a kind of change is rated, for each role in which it can be met. Two audiences may be concerned differently. */
export type Ratings = Partial<Record<Role, readonly Rating[]>>;

const breaking = (why: string): Rating[] => [{ verdict: "breaking", audience: "wire", why }];
const warning = (why: string): Rating[] => [{ verdict: "warning", audience: "wire", why }];
const additive = (why: string): Rating[] => [{ verdict: "additive", audience: "wire", why }];
const neutral = (why: string): Rating[] => [{ verdict: "neutral", audience: "wire", why }];

const forSource = (ratings: readonly Rating[]): Rating[] => ratings.map((one) => ({ ...one, audience: "source" }));
const forReaders = (ratings: readonly Rating[]): Rating[] => ratings.map((one) => ({ ...one, audience: "reader" }));

/** For what callers send, and for what they read. */
const either = (send: readonly Rating[], read: readonly Rating[]): Ratings => ({ send, read });
const both = (one: readonly Rating[]): Ratings => ({ send: one, read: one });
const all = (one: readonly Rating[]): Ratings => ({ call: one, send: one, read: one, import: one });

const accepts = additive("Everything that was accepted still is, and more.");
const refuses = breaking("What was accepted is now refused.");
const surprises = breaking("Readers meet values that they have not met before.");
const promises = additive("Answers keep a narrower promise; what readers understand still covers them.");
const wording = forReaders(neutral("Nothing that is sent, read or called changes."));
/** A program that names what left does not compile: `case "queued":` where nothing is queued any more. */
const leaves = [...promises, ...forSource(breaking("A comparison or a `case` with it no longer compiles."))];

/**
 * Every kind of change with its verdict, but for those of the contract's own keys, whose verdicts stand with the keys. A kind
 * is rated by role: a wider range is harmless to those who send and
 * breaks those who read. Errors are rated as what is read, but for the types: clients give the body of an error untyped.
 */
const own = {
  // The document
  "service-added": { call: additive("Nobody called it before.") },
  "service-removed": { call: breaking("Nothing answers its callers any more.") },
  "dialect-changed": all(breaking("Every schema is read by other rules.")),
  "server-added": { call: additive("The addresses in use stay.") },
  "server-changed": { call: breaking("Who took the address from the document sends to the wrong place.") },
  "server-removed": { call: breaking("Who took the address from the document has none.") },
  "server-order": { call: breaking("The first address is the default: who takes it sends to another place.") },

  // Operations
  "operation-added": { call: additive("Nobody called it before.") },
  "operation-removed": { call: breaking("Calls end with 404, and the method is gone from the client.") },
  "operation-moved": { call: breaking("Calls to the old address end with 404 or 405.") },
  "operation-id-changed": { call: forSource(breaking("Logs and other generators know the operation by its id.")) },
  "arguments-moved": { call: forSource(breaking("Calls of the method pass an argument at its old place.")) },
  "path-parameter-renamed": { send: forSource(breaking("Calls by path give the parameter by its old name.")) },
  deprecated: all(
    additive("It still works. Semantic versioning asks for a minor version where something is deprecated."),
  ),
  undeprecated: all(neutral("It stays.")),
  "callback-added": { call: additive("Only who asks for it is called back.") },
  "callback-removed": { call: breaking("Who waits for the callback waits in vain.") },
  "webhook-added": { call: additive("Nobody took it before.") },
  "webhook-removed": { call: breaking("Who waits for the webhook waits in vain.") },
  "link-added": { read: forReaders(additive("It says what may be called next; the answer stays.")) },
  "link-changed": { read: forReaders(neutral("It says what may be called next; the answer stays.")) },
  "link-removed": { read: forReaders(warning("Who followed the link from the document finds none.")) },

  // Security
  "security-added": { call: breaking("Calls without the credential are now refused.") },
  "security-narrowed": { call: breaking("A credential that was accepted is now refused.") },
  "security-widened": { call: additive("Every credential that was accepted still is.") },
  "security-scheme-changed": { call: breaking("The credential is sent in another way.") },

  // Parameters and request bodies
  "parameter-added": { send: additive("Callers may leave it out.") },
  "parameter-added-required": { send: breaking("Calls without it are now refused.") },
  "parameter-removed": { send: breaking("Who sends it no longer gets what it asked for.") },
  "parameter-renamed": { send: breaking("Who sends it under its old name no longer gets what it asked for.") },
  "parameter-required": { send: breaking("Calls without it are now refused.") },
  "parameter-optional": { send: additive("Callers may now leave it out.") },
  "parameter-serialized": { send: breaking("It is written into the request in another way.") },
  "body-added": { send: additive("Callers may leave it out.") },
  "body-added-required": { send: breaking("Calls without a body are now refused.") },
  "body-removed": { send: breaking("What callers send in the body has no effect any more.") },
  "body-required": { send: breaking("Calls without a body are now refused.") },
  "body-optional": { send: additive("Callers may now leave it out.") },
  "media-type-added": either(accepts, additive("Who asks for the media types in use still gets them.")),
  "media-type-removed": either(refuses, breaking("Who asks for it gets something else.")),
  "encoding-changed": either(
    breaking("A part of the body is written in another way."),
    breaking("A part of the body is written in another way."),
  ),

  // Responses
  "result-added": { read: breaking("A call may succeed with an answer that callers do not know.") },
  "error-added": { error: additive("Callers already meet errors that they know by status alone.") },
  "response-removed": { read: breaking("Who handles this answer waits for it in vain.") },
  "error-removed": { error: warning("Who handles this error waits for it in vain; see that it cannot come any more.") },
  "header-added": { read: additive("Nobody read it before.") },
  "header-removed": { read: breaking("Who reads it finds nothing.") },
  "header-optional": { read: breaking("Who reads it may find nothing.") },
  "header-required": { read: additive("It is now always there.") },

  // Schemas: names
  "schema-added": { import: forSource(additive("Nobody imported its type before.")) },
  "schema-removed": { import: forSource(breaking("The client no longer exports the type.")) },
  "schema-renamed": { import: forSource(breaking("The client no longer exports the type under its old name.")) },
  "schema-left": { import: forSource(neutral("Its type left with the variant that it was, which is told there.")) },

  // Schemas: properties
  "property-added": either(additive("Callers may leave it out."), additive("Nobody read it before.")),
  "property-added-required": either(
    breaking("Requests without it are now refused."),
    additive("Nobody read it before."),
  ),
  "property-added-to-closed": {
    send: additive("Callers may leave it out."),
    read: breaking("The object was closed: clients that check answers refuse the new property."),
  },
  "property-removed": either(
    breaking("Who sends it no longer gets what it asked for, or is refused."),
    breaking("Who reads it finds nothing."),
  ),
  "property-renamed": either(
    breaking("Who sends it under its old name no longer gets what it asked for, or is refused."),
    breaking("Who reads it under its old name finds nothing."),
  ),
  "property-required": either(breaking("Requests without it are now refused."), promises),
  "property-optional": either(accepts, breaking("Who reads it may find nothing.")),
  "properties-closed": either(breaking("Requests with other properties are now refused."), promises),
  "properties-lost": either(
    breaking("Requests with other properties are now refused."),
    breaking("Who reads the entries finds none any more."),
  ),
  "properties-opened": either(accepts, surprises),

  // Schemas: values
  "type-widened": either(accepts, surprises),
  "type-narrowed": either(refuses, promises),
  "type-changed": both(breaking("The values of before and of now have different types.")),
  "null-added": either(accepts, breaking("Who reads it may find null.")),
  "null-removed": either(breaking("Null was accepted and is now refused."), promises),
  "value-added": either(accepts, surprises),
  "value-removed": either(refuses, leaves),
  "value-changed": both(breaking("The one value that was valid no longer is.")),
  emptied: either(refuses, breaking("Who reads it finds nothing any more.")),
  "member-added": either(accepts, additive("The set is open: readers pass over what they do not know.")),
  "member-removed": either(
    refuses,
    warning("Who handles it waits for it in vain; the set is open, so programs still compile."),
  ),
  "default-added": both(additive("Where nothing is given, it is now said what holds.")),
  "default-changed": either(
    breaking("Where nothing is given, something else holds than before."),
    warning("Where nothing is answered, something else holds than before."),
  ),
  "default-removed": either(
    breaking("Where nothing is given, nobody knows any more what holds."),
    warning("Where nothing is answered, nobody knows any more what holds."),
  ),
  "limit-tightened": either(refuses, promises),
  "limit-loosened": either(accepts, surprises),
  "rule-added": either(refuses, promises),
  "rule-changed": both(breaking("Which of two rules allows more cannot be told, so both sides are taken to lose.")),
  "rule-removed": either(accepts, surprises),
  "access-changed": either(
    breaking("It is no longer sent, or has to be sent now."),
    breaking("It is no longer read in answers."),
  ),
  "access-gained": either(additive("It may be sent now."), additive("It is read in answers now.")),
  "access-noted": both(forReaders(neutral("It went that way alone before."))),

  // Schemas: unions
  "variant-added": either(accepts, surprises),
  "variant-removed": either(refuses, leaves),
  "union-stricter": either(refuses, promises),
  "union-looser": either(accepts, surprises),
  "discriminator-changed": both(breaking("Variants are told apart in another way.")),

  // What changes nothing on the wire
  "description-changed": all(wording),
  "example-changed": all(wording),
  "tag-changed": all(wording),
  "title-changed": all(wording),
  "info-changed": all(wording),
  "unused-changed": all(forReaders(neutral("No operation uses it."))),

  // The catch-all
  unclassified: all(breaking("No rule knows this change, so it is taken to break everybody.")),
} as const satisfies Record<string, Ratings>;

export type Kind = keyof typeof own | KeyChange;

export const kindNames: readonly Kind[] = [
  ...Object.keys(own).filter((name) => isOwn(name)),
  ...Object.keys(keyChanges).filter((name) => isOfKey(name)),
];

function isOwn(name: string): name is keyof typeof own {
  return Object.hasOwn(own, name);
}

function isOfKey(name: string): name is KeyChange {
  return Object.hasOwn(keyChanges, name);
}

/** What a kind says for each role; that of a key may stand anywhere. */
function known(kind: Kind): Ratings {
  if (!isOfKey(kind)) return own[kind];
  const verdicts = keyChanges[kind];
  return "sent" in verdicts ? { send: verdicts.sent, read: verdicts.read } : all(verdicts);
}

/**
 * How a kind is rated for a role; empty where it cannot be met there. What is sent to a webhook is read by who takes it, so
 * that parameters may be met as what is read.
 */
export function ratings(kind: Kind, role: Role): readonly Rating[] {
  const rated = known(kind);
  if (role !== "error") return rated[role] ?? (role === "read" ? rated.send : role === "send" ? rated.read : []) ?? [];
  if (rated.error !== undefined) return rated.error;
  const asRead = ratings(kind, "read");
  const onWire = asRead.filter(({ audience }) => audience !== "source");
  return onWire.length > 0 ? onWire : asRead;
}
