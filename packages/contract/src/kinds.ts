import type { KeyChange } from "@trainyard/document";
import type { Audience, Role, Verdict } from "./verdict.ts";

/** A verdict for one audience, with its reason. */
export interface Rating {
  readonly verdict: Verdict;
  readonly audience: Audience;
  readonly why: string;
}

/** The ratings of a kind of change, for each role in which it can occur. Two audiences may be affected differently. */
export type Ratings = Partial<Record<Role, readonly Rating[]>>;

const breaking = (why: string): Rating[] => [{ verdict: "breaking", audience: "wire", why }];
const warning = (why: string): Rating[] => [{ verdict: "warning", audience: "wire", why }];
const additive = (why: string): Rating[] => [{ verdict: "additive", audience: "wire", why }];
const neutral = (why: string): Rating[] => [{ verdict: "neutral", audience: "wire", why }];

const forSource = (ratings: readonly Rating[]): Rating[] => ratings.map((one) => ({ ...one, audience: "source" }));
const forReaders = (ratings: readonly Rating[]): Rating[] => ratings.map((one) => ({ ...one, audience: "reader" }));

/** For requests, and for responses. */
const either = (send: readonly Rating[], read: readonly Rating[]): Ratings => ({ send, read });
const both = (one: readonly Rating[]): Ratings => ({ send: one, read: one });
const all = (one: readonly Rating[]): Ratings => ({ call: one, send: one, read: one, import: one });

const accepts = additive("Everything that was accepted is still accepted.");
const refuses = breaking("Requests that were accepted are now refused.");
const surprises = breaking("Callers may receive values that they do not know.");
const promises = additive("Responses use fewer values than before, and callers know all of them.");
const wording = forReaders(neutral("Requests, responses and calls stay the same."));
const unread = additive("It is new, so no program reads it yet.");
const missing = breaking("Callers that read it get nothing.");
const needed = breaking("Requests without it are now refused.");
const excluded = breaking("Requests with other properties are now refused.");
/** A program that names a removed value does not compile: `case "queued":` after `queued` was removed. */
const leaves = [...promises, ...forSource(breaking("A comparison or a `case` with it no longer compiles."))];

/**
 * Every kind of change with its verdict. A kind is rated by role: a wider range is harmless for senders and breaks readers.
 * Errors are rated as responses, except for types, because clients do not type error bodies.
 */
export const kinds = {
  // The document
  "service-added": { call: additive("It is new, so no program calls it yet.") },
  "dialect-changed": all(breaking("Validators read every schema by other rules.")),
  "server-added": { call: additive("The existing addresses stay.") },
  "server-changed": { call: breaking("Callers that take the address from the document send to another place.") },
  "server-widened": { call: additive("Every address that was there still is.") },
  "server-removed": { call: breaking("Callers that take this address from the document no longer find it.") },
  "server-order": {
    call: breaking("The first address is the default, so callers that use the default send to another place."),
  },

  // Operations
  "operation-added": { call: additive("It is new, so no program calls it yet.") },
  "operation-removed": { call: breaking("Calls return 404, and the client no longer has the method.") },
  "operation-moved": { call: breaking("Calls to the old path return 404 or 405.") },
  "operation-id-changed": {
    call: forSource(breaking("Logs and code from other generators name the operation by its id.")),
  },
  "arguments-moved": { call: forSource(breaking("Calls of the method pass the arguments in the old order.")) },
  "path-parameter-renamed": { send: forSource(breaking("Calls by path use the old name of the parameter.")) },
  "path-parameter-moved": { send: breaking("The service reads the values in the old addresses as other parameters.") },
  deprecated: all(additive("It still works. Semantic versioning requires a minor version for a deprecation.")),
  undeprecated: all(neutral("It is no longer deprecated.")),
  "callback-added": { call: additive("Only callers that request the callback receive it.") },
  "callback-removed": { call: breaking("Callers no longer receive the callback.") },
  "webhook-added": { call: additive("It is new, so no program handles it yet.") },
  "webhook-removed": { call: breaking("Programs no longer receive the webhook.") },
  "link-added": { read: forReaders(additive("A link describes a possible next call. The response stays the same.")) },
  "link-changed": { read: forReaders(neutral("A link describes a possible next call. The response stays the same.")) },
  "link-removed": { read: forReaders(warning("Tools that follow the link no longer find it.")) },

  // Security
  "security-added": { call: breaking("Calls without the credential are now refused.") },
  "security-narrowed": { call: breaking("A credential that was accepted is now refused.") },
  "security-widened": { call: additive("Every credential that was accepted is still accepted.") },
  "security-scheme-changed": { call: breaking("The credential is sent in another way.") },

  // Parameters and request bodies
  "parameter-added": { send: additive("It is optional.") },
  "parameter-added-required": { send: breaking("Calls without it are now refused.") },
  "parameter-removed": { send: breaking("Callers that send it no longer get its effect.") },
  "parameter-renamed": { send: breaking("Callers that send the old name no longer get its effect.") },
  "parameter-required": { send: breaking("Calls without it are now refused.") },
  "parameter-optional": { send: additive("It is now optional.") },
  "parameter-null-removed": {
    send: forSource(breaking("Code that passes null no longer compiles. Requests never contained it.")),
  },
  "parameter-serialized": { send: breaking("Its format in the request is different.") },
  "body-added": { send: additive("It is optional.") },
  "body-added-required": { send: breaking("Calls without a body are now refused.") },
  "body-removed": { send: breaking("The body that callers send no longer has an effect.") },
  "body-required": { send: breaking("Calls without a body are now refused.") },
  "body-optional": { send: additive("It is now optional.") },
  "media-type-added": either(accepts, additive("The existing media types are still returned.")),
  "media-type-removed": either(refuses, breaking("Callers that request this media type receive another one.")),
  "encoding-changed": both(breaking("The format of a part of the body is different.")),

  // Responses
  "result-added": { read: breaking("A call may succeed with a response that callers do not know.") },
  "error-added": { error: additive("Clients handle undeclared errors by their status already.") },
  "response-removed": { read: breaking("Callers that handle this response no longer receive it.") },
  "error-removed": {
    error: warning(
      "Callers that handle this error no longer receive it. Check that the service can no longer return it.",
    ),
  },
  "header-added": { read: unread },
  "header-removed": { read: missing },
  "header-optional": { read: breaking("Callers that read it may get nothing.") },
  "header-required": { read: additive("It is now always present.") },

  // Schemas: names
  "schema-added": { import: forSource(additive("Its type is new, so no program imports it yet.")) },
  "schema-removed": { import: forSource(breaking("The client no longer exports the type.")) },
  "schema-renamed": { import: forSource(breaking("The client no longer exports the type under its old name.")) },
  "schema-left": {
    import: forSource(
      neutral("Its type was removed together with the variant that used it. The change of the variant reports it."),
    ),
  },

  // Schemas: properties
  "property-added": either(additive("It is optional."), unread),
  "property-added-required": either(needed, unread),
  "property-added-to-closed": {
    send: additive("It is optional."),
    read: breaking("The object was closed: clients that check answers refuse the new property."),
  },
  "property-removed": either(breaking("Requests with it lose its effect, or are refused."), missing),
  "property-renamed": either(
    breaking("Requests with the old name lose its effect, or are refused."),
    breaking("Callers that read the old name get nothing."),
  ),
  "property-required": either(needed, promises),
  "property-optional": either(accepts, breaking("Callers that read it may get nothing.")),
  "properties-closed": either(excluded, promises),
  "properties-lost": either(excluded, breaking("Callers that read the entries no longer find any.")),
  "properties-opened": either(accepts, surprises),

  // Schemas: values
  "type-widened": either(accepts, surprises),
  "type-narrowed": either(refuses, promises),
  "type-changed": both(breaking("The old and the new values have different types.")),
  "null-added": either(accepts, breaking("Callers that read it may get null.")),
  "null-removed": either(breaking("Null was accepted and is now refused."), promises),
  "value-added": either(accepts, surprises),
  "value-removed": either(refuses, leaves),
  "value-changed": both(breaking("The only valid value is no longer valid.")),
  emptied: either(refuses, breaking("Callers that read it no longer get anything.")),
  "member-added": either(accepts, additive("The set is open, so callers ignore members that they do not know.")),
  "member-removed": either(
    refuses,
    warning("Callers that handle it no longer receive it. The set is open, so programs still compile."),
  ),
  "default-added": both(additive("The document now states which value applies if it is left out.")),
  "default-changed": either(
    breaking("Another value applies if callers leave it out."),
    warning("Another value applies if a response leaves it out."),
  ),
  "default-removed": either(
    breaking("The document no longer states which value applies if callers leave it out."),
    warning("The document no longer states which value applies if a response leaves it out."),
  ),
  "limit-tightened": either(refuses, promises),
  "limit-loosened": either(accepts, surprises),
  "rule-added": either(refuses, promises),
  "rule-changed": both(
    breaking(
      "The comparison cannot tell which of the two rules allows more, so the change counts as breaking for requests and responses.",
    ),
  ),
  "rule-removed": either(accepts, surprises),
  "content-added": both(warning("The same text may now stand for another value. Check that it always did.")),
  "content-changed": both(breaking("The same text now stands for another value.")),
  "content-removed": both(warning("The same text may now stand for another value. Check that it does not.")),
  "access-changed": either(
    breaking("Requests may no longer contain it, or must contain it now."),
    breaking("Responses no longer contain it."),
  ),
  "access-gained": either(additive("Requests may now contain it."), additive("Responses now contain it.")),
  "access-noted": both(forReaders(neutral("It was already used in this direction only."))),

  // Schemas: unions
  "variant-added": either(accepts, surprises),
  "variant-removed": either(refuses, leaves),
  "union-stricter": either(refuses, promises),
  "union-looser": either(accepts, surprises),
  "discriminator-changed": both(breaking("Another property says which variant a value is.")),

  // The contract's own keys
  "alias-changed": all(breaking("The path may now do something else.")),
  "basis-changed": all(forReaders(neutral("The source of the fact changed, and the fact stays the same."))),
  "basis-withdrawn": all(forReaders(warning("The fact is less certain than before, so a promise was withdrawn."))),
  "client-option-added": all(forSource(additive("The client can fill the parameter from an option."))),
  "client-option-changed": all(forSource(breaking("The client no longer fills the parameter from its old option."))),
  "fold-added": all(forSource(additive("The client can combine the items of a stream into the whole response."))),
  "fold-changed": all(
    forSource(breaking("The client combines the items of a stream differently, or no longer combines them.")),
  ),
  "invalid-status-changed": all(warning("A request that violates the limit is rejected with another status.")),
  "method-added": all(forSource(additive("The client has a new method."))),
  "method-removed": all(forSource(breaking("The client no longer has the method."))),
  "method-renamed": all(forSource(breaking("The client no longer has the method under its old name."))),
  "pagination-added": all(forSource(breaking("The method now returns a page instead of the plain response."))),
  "pagination-changed": all(forSource(breaking("The client requests further pages differently."))),
  "promise-added": all(forReaders(neutral("Callers may rely on one more sentence."))),
  "promise-reworded": all(forReaders(warning("The words changed. Only a person sees whether the meaning changed."))),
  "promise-withdrawn": all(forReaders(warning("A promise was withdrawn, and callers may have relied on it."))),
  "resend-looser": all(forSource(additive("Clients may now retry calls that failed."))),
  "resend-stricter": all(forSource(breaking("Clients no longer retry calls that failed."))),
  "resend-unsafe": all(
    forSource(warning("A call that changes something may be performed twice. Check that the service allows this.")),
  ),
  rewritten: all(forReaders(neutral("The meaning is the same in another form."))),
  "safe-added": all(forReaders(neutral("The document now states that the operation changes nothing."))),
  "safe-removed": all(
    forReaders(
      warning(
        "The operation changed nothing before and may now change something. Tools may have called it to inspect a service.",
      ),
    ),
  ),
  "sensitive-added": all(forSource(neutral("Clients no longer put it into their logs and error messages."))),
  "sensitive-removed": all(forSource(warning("Clients may now put the value into their logs and error messages."))),
  "stream-added": all(additive("Callers can now request the response as a stream.")),
  "stream-changed": all(breaking("Callers that request a stream have to read it differently.")),
  "timeout-raised": all(forSource(additive("Slower responses no longer time out."))),
  "timeout-shortened": all(forSource(breaking("Calls that were fast enough before may now time out."))),
  "set-closed": either(
    forSource(neutral("Requests contained only the listed members before, too.")),
    additive("Callers may now rely on the listed members."),
  ),
  "set-opened": either(forSource(additive("The types accept values that are not listed.")), [
    ...warning("Responses may now contain members that are not listed."),
    ...forSource(breaking("The types have one more member, so a `switch` over all members is no longer complete.")),
  ]),

  // What changes nothing on the wire
  "description-changed": all(wording),
  "example-changed": all(wording),
  "foreign-key-changed": all(forReaders(neutral("It is not one of the contract's keys, so no program reads it."))),
  "tag-changed": all(wording),
  "title-changed": all(wording),
  "info-changed": all(wording),
  "unused-changed": all(forReaders(neutral("No operation uses it."))),

  // The catch-all
  unclassified: all(breaking("No rule covers this change, so it counts as breaking for everybody.")),
} as const satisfies Record<KeyChange, Ratings> & Record<string, Ratings>;

export type Kind = keyof typeof kinds;

/**
 * The ratings of a kind in a role; empty if it cannot occur there. Programs read what is sent to their webhooks, so
 * parameters can occur as responses.
 */
export function ratings(kind: Kind, role: Role): readonly Rating[] {
  const rated: Ratings = kinds[kind];
  if (role !== "error") return rated[role] ?? (role === "read" ? rated.send : role === "send" ? rated.read : []) ?? [];
  if (rated.error !== undefined) return rated.error;
  const asRead = ratings(kind, "read");
  const onWire = asRead.filter(({ audience }) => audience !== "source");
  return onWire.length > 0 ? onWire : asRead;
}

/** How what a kind of removal takes away is marked as `deprecated` before: itself, its operations, or its constants. */
export const announcedBy: Readonly<Partial<Record<Kind, "deprecated" | "operations" | "value">>> = {
  "webhook-removed": "operations",
  "callback-removed": "operations",
  "operation-removed": "deprecated",
  "operation-moved": "deprecated",
  "parameter-removed": "deprecated",
  "parameter-renamed": "deprecated",
  "property-removed": "deprecated",
  "property-renamed": "deprecated",
  "header-removed": "deprecated",
  "variant-removed": "value",
  "member-removed": "value",
  "value-removed": "value",
  "value-changed": "value",
  emptied: "value",
};

/** Kinds that concern callers that do not send a value. */
export const kindsOfOmission: ReadonlySet<Kind> = new Set<Kind>([
  "default-added",
  "default-changed",
  "default-removed",
  "property-required",
  "property-added-required",
  "parameter-required",
  "parameter-added-required",
  "body-required",
  "body-added-required",
]);
