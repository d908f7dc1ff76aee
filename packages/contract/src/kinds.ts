import type { Role, Verdict } from "./verdict.ts";

/** A verdict and the sentence that gives its reason. */
export interface Rating {
  readonly verdict: Verdict;
  readonly why: string;
}

/** How a kind of change is rated, for each role in which it can be met. */
export type Ratings = Partial<Record<Role, Rating>>;

const breaking = (why: string): Rating => ({ verdict: "breaking", why });
const additive = (why: string): Rating => ({ verdict: "additive", why });
const neutral = (why: string): Rating => ({ verdict: "neutral", why });

/** For what callers send, and for what they read. */
const either = (send: Rating, read: Rating): Ratings => ({ send, read });
const both = (one: Rating): Ratings => ({ send: one, read: one });
const all = (one: Rating): Ratings => ({ call: one, send: one, read: one, import: one });

const accepts = additive("Everything that was accepted still is, and more.");
const refuses = breaking("What was accepted is now refused.");
const surprises = breaking("Readers meet values that they have not met before.");
const promises = additive("Answers keep a narrower promise; what readers understand still covers them.");
const wording = neutral("Nothing that is sent, read or called changes.");

/**
 * Every kind of change with its verdict. A kind is rated by role: a wider range is harmless to those who send and
 * breaks those who read.
 */
export const kinds = {
  // The document
  "service-added": { call: additive("Nobody called it before.") },
  "service-removed": { call: breaking("Nothing answers its callers any more.") },
  "dialect-changed": all(breaking("Every schema is read by other rules.")),
  "server-added": { call: additive("The addresses in use stay.") },
  "server-changed": { call: breaking("Who took the address from the document sends to the wrong place.") },
  "server-removed": { call: breaking("Who took the address from the document has none.") },

  // Operations
  "operation-added": { call: additive("Nobody called it before.") },
  "operation-removed": { call: breaking("Calls end with 404, and the method is gone from the client.") },
  "operation-id-changed": { call: breaking("Logs and other generators know the operation by its id.") },
  "method-added": { call: additive("The client gains a method.") },
  "method-renamed": { call: breaking("The client no longer has the method under its old name.") },
  "method-removed": { call: breaking("The client loses the method.") },
  "arguments-moved": { call: breaking("Calls of the method pass an argument at its old place.") },
  "path-parameter-renamed": { send: breaking("Calls by path give the parameter by its old name.") },
  "alias-changed": { call: breaking("The path may do something else than it did.") },
  "resend-stricter": { call: breaking("Calls that were sent again after a failure now fail.") },
  "resend-looser": { call: additive("Calls that failed may now be sent again.") },
  "timeout-shortened": { call: breaking("Calls that were answered in time now time out.") },
  "timeout-raised": { call: additive("Slower answers now arrive.") },
  "pagination-added": { call: breaking("The method now gives a page instead of the plain answer.") },
  "pagination-changed": { call: breaking("Pages are followed in another way.") },
  "stream-added": { call: additive("The answer can be streamed, for who asks.") },
  "stream-changed": { call: breaking("Who streams the answer reads it in another way.") },
  deprecated: all(
    additive("It still works. Semantic versioning asks for a minor version where something is deprecated."),
  ),
  undeprecated: all(neutral("It stays.")),

  // Security
  "security-added": { call: breaking("Calls without the credential are now refused.") },
  "security-narrowed": { call: breaking("A credential that was accepted is now refused.") },
  "security-widened": { call: additive("Every credential that was accepted still is.") },
  "security-scheme-changed": { call: breaking("The credential is sent in another way.") },

  // Parameters and request bodies
  "parameter-added": { send: additive("Callers may leave it out.") },
  "parameter-added-required": { send: breaking("Calls without it are now refused.") },
  "parameter-removed": { send: breaking("Who sends it no longer gets what it asked for.") },
  "parameter-required": { send: breaking("Calls without it are now refused.") },
  "parameter-optional": { send: additive("Callers may now leave it out.") },
  "parameter-serialized": { send: breaking("It is written into the request in another way.") },
  "client-option-added": { send: additive("The client can fill it from an option.") },
  "client-option-changed": { send: breaking("The client no longer takes it from its old option.") },
  "body-added": { send: additive("Callers may leave it out.") },
  "body-added-required": { send: breaking("Calls without a body are now refused.") },
  "body-removed": { send: breaking("What callers send in the body has no effect any more.") },
  "body-required": { send: breaking("Calls without a body are now refused.") },
  "body-optional": { send: additive("Callers may now leave it out.") },
  "media-type-added": either(accepts, additive("Who asks for the media types in use still gets them.")),
  "media-type-removed": either(refuses, breaking("Who asks for it gets something else.")),

  // Responses
  "result-added": { read: breaking("A call may succeed with an answer that callers do not know.") },
  "error-added": { read: additive("Callers already meet errors that they know by status alone.") },
  "response-removed": { read: breaking("Who handles this answer waits for it in vain.") },
  "header-added": { read: additive("Nobody read it before.") },
  "header-removed": { read: breaking("Who reads it finds nothing.") },
  "header-optional": { read: breaking("Who reads it may find nothing.") },
  "header-required": { read: additive("It is now always there.") },

  // Schemas: names
  "schema-added": { import: additive("Nobody imported its type before.") },
  "schema-removed": { import: breaking("The client no longer exports the type.") },
  "schema-renamed": { import: breaking("The client no longer exports the type under its old name.") },

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
  "property-required": either(breaking("Requests without it are now refused."), promises),
  "property-optional": either(accepts, breaking("Who reads it may find nothing.")),
  "properties-closed": either(breaking("Requests with other properties are now refused."), promises),
  "properties-opened": either(accepts, surprises),

  // Schemas: values
  "type-widened": either(accepts, surprises),
  "type-narrowed": either(refuses, promises),
  "type-changed": both(breaking("The values of before and of now have different types.")),
  "null-added": either(accepts, breaking("Who reads it may find null.")),
  "null-removed": either(breaking("Null was accepted and is now refused."), promises),
  "value-added": either(accepts, surprises),
  "value-removed": either(refuses, promises),
  "value-changed": both(breaking("The one value that was valid no longer is.")),
  "default-added": both(additive("Where nothing is given, it is now said what holds.")),
  "default-changed": both(breaking("Where nothing is given, something else holds than before.")),
  "default-removed": both(breaking("Where nothing is given, nobody knows any more what holds.")),
  "limit-tightened": either(refuses, promises),
  "limit-loosened": either(accepts, surprises),
  "rule-added": either(refuses, promises),
  "rule-changed": both(breaking("Which of two rules allows more cannot be told, so both sides are taken to lose.")),
  "rule-removed": either(accepts, surprises),
  "access-changed": both(breaking("It moves between what is sent and what is read.")),

  // Schemas: unions
  "variant-added": either(accepts, surprises),
  "variant-removed": either(refuses, promises),
  "union-stricter": either(refuses, promises),
  "union-looser": either(accepts, surprises),
  "discriminator-changed": both(breaking("Variants are told apart in another way.")),

  // What changes nothing on the wire
  "description-changed": all(wording),
  "example-changed": all(wording),
  "tag-changed": all(wording),
  "title-changed": all(wording),
  "basis-changed": all(neutral("Where the fact comes from is said anew; the fact stays.")),
  "sensitive-changed": all(neutral("Only what is logged and shown changes.")),
  "info-changed": all(wording),
  rewritten: all(neutral("It says the same in another form.")),
  "unused-changed": all(neutral("No operation uses it.")),

  // The catch-all
  unclassified: all(breaking("No rule knows this change, so it is taken to break everybody.")),
} as const satisfies Record<string, Ratings>;

export type Kind = keyof typeof kinds;

export const kindNames: readonly Kind[] = Object.keys(kinds).filter((name): name is Kind => Object.hasOwn(kinds, name));

/** How a kind is rated for a role; null where it cannot be met there. */
export function rating(kind: Kind, role: Role): Rating | null {
  const ratings: Ratings = kinds[kind];
  return ratings[role] ?? null;
}
