import { hash } from "node:crypto";
import { refuse, type Caller, type Credential } from "@trainyard/host";

/** What a key can permit. Each scope includes those before it. */
export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** The entity of the key that a server creates for itself. */
export const defaultEntity = "local";

/** A key and who it belongs to. */
export interface KeyOptions {
  /** The key itself. A key file may hold its digest instead. */
  readonly key?: string;
  /** The SHA-256 of the key in base64, if `key` is absent. */
  readonly sha256?: string;
  /**
   * The entity (a team or a person) whose data the key gives access to. `*` has no data of its own: its keys use the
   * control interface for all entities.
   */
  readonly entity: string;
  /** What logs and `trainyard keys` call it; the beginning of its digest by default. */
  readonly id?: string;
  /** What it is for, in words of those who run the server. */
  readonly name?: string;
  /** What it permits; everything by default. */
  readonly scopes?: readonly Scope[];
  /** When it expires, in ISO 8601; never by default. */
  readonly expires?: string;
}

/** What an operation needs of a key. */
export interface Need {
  readonly scope: Scope;
  /** The service that the operation belongs to, or only the entity `*` may call it. */
  readonly of: "services" | "control" | "all entities";
}

/** A key without its secret. */
export type KeyFacts = Required<Pick<KeyOptions, "id" | "entity" | "scopes">> & Pick<KeyOptions, "name" | "expires">;

/** How the keys differ after a change. */
export interface KeyChanges {
  readonly added: readonly KeyFacts[];
  readonly removed: readonly KeyFacts[];
}

/**
 * The keys that a server accepts. They are compared by digest, so that the time of a comparison reveals nothing about
 * them.
 */
export class Keys {
  #facts: ReadonlyMap<string, KeyFacts> = new Map();
  #list: readonly KeyOptions[] = [];
  /** Keys by entity that only this process knows: the control key of `*`, and those for entities with digests only. */
  readonly #own = new Map<string, string>();
  readonly #ownFacts = new Map<string, KeyFacts>();

  /**
   * @param controlKey the control key: it belongs to `*`, and permits everything there
   * @throws Error if there is no key, or a key is invalid or listed twice
   */
  constructor(keys: readonly KeyOptions[], controlKey: string) {
    this.#keep(controlKey, { id: "control", entity: "*", scopes });
    this.replace(keys);
  }

  /** All keys, in order, but for the control key. */
  get list(): readonly KeyOptions[] {
    return this.#list;
  }

  /**
   * Replaces all keys.
   * @throws Error as the constructor does; then the previous keys stay
   */
  replace(keys: readonly KeyOptions[]): KeyChanges {
    if (keys.length === 0) throw new Error("A server needs at least one key. Pass one in `keys`, or omit `keys`.");
    const facts = new Map<string, KeyFacts>();
    for (const key of keys) {
      const { key: text, entity } = key;
      if (text !== undefined && !/^[\x21-\x7e]+$/.test(text))
        throw new Error(`A key of ${entity} is invalid. Keys are ASCII characters without spaces.`);
      if (!/^[^/:\s]+$/.test(entity)) {
        throw new Error(`"${entity}" cannot be an entity: it must have no slash, colon or space, and not be empty.`);
      }
      const { id, scopes: own, expires } = factsOf(key);
      const unknown = own.find((one) => !scopes.includes(one));
      if (unknown !== undefined || own.length === 0)
        throw new Error(
          `The key ${id} of ${entity} has the scope "${unknown ?? ""}". Scopes are read, write and admin.`,
        );
      if (expires !== undefined && Number.isNaN(Date.parse(expires)))
        throw new Error(
          `The key ${id} of ${entity} expires at "${expires}", which is no time. Use the form 2027-03-01T00:00:00Z.`,
        );
      const digest = digestOf(key);
      if (facts.has(digest))
        throw new Error(`Two entries have the same key. The second one belongs to the entity ${entity}.`);
      facts.set(digest, factsOf(key));
    }
    const before = this.#facts;
    this.#facts = facts;
    this.#list = keys;
    const only = (some: ReadonlyMap<string, KeyFacts>, others: ReadonlyMap<string, KeyFacts>) =>
      [...some].flatMap(([digest, one]) => (JSON.stringify(one) === JSON.stringify(others.get(digest)) ? [] : [one]));
    return { added: only(facts, before), removed: only(before, facts) };
  }

  /** The keys that expired within a span of time, in milliseconds since 1970; the end is included. */
  expired(from: number, to: number): KeyFacts[] {
    const isWithin = (at: number) => from < at && at <= to;
    return [...this.#facts.values()].filter(({ expires }) => expires !== undefined && isWithin(Date.parse(expires)));
  }

  /**
   * The caller of a credential, and why the key does not permit what it needs; undefined if there is no such key. The user of
   * basic authentication must be `api`.
   */
  callerOf({ key, user = "api" }: Credential, { scope, of }: Need): Caller | undefined {
    const digest = digestOf({ key });
    const facts = user === "api" ? (this.#facts.get(digest) ?? this.#ownFacts.get(digest)) : undefined;
    if (facts === undefined) return undefined;
    const { id, entity: owner, scopes: own, expires } = facts;
    const denied = (message: string): Caller => ({
      owner,
      id,
      refusal: refuse(403, `The key ${id} ${message}`, { code: "insufficient_scope" }),
    });
    if (expires !== undefined && Date.parse(expires) <= Date.now()) {
      const cure = "Ask the people who run this server for a new one.";
      return { owner, id, refusal: refuse(401, `The key expired at ${expires}. ${cure}`, { code: "invalid_api_key" }) };
    }
    if (of === "services" && owner === "*")
      return denied("belongs to *, which has only the control interface. Use a key of an entity.");
    const all = of === "all entities" || (of === "control" && owner === "*");
    if (of === "all entities" && owner !== "*")
      return denied(`belongs to ${owner}. This needs a key of * with the scope ${scope}, such as the control key.`);
    const needed = of === "control" && !all ? "admin" : scope;
    if (Math.max(...own.map((one) => scopes.indexOf(one))) < scopes.indexOf(needed))
      return denied(`has the scope ${own.join(", ")}. This needs the scope ${needed}.`);
    return { owner, id };
  }

  /** A key with all rights for clients in this process: of an entity, by default the first one, or of `*`. */
  keyOf(entity: string = this.#list.find((one) => one.entity !== "*")?.entity ?? ""): string | undefined {
    const all = this.#list.filter((one) => one.entity === entity);
    const known = all.find(({ key, scopes: some, expires }) => key !== undefined && !some && !expires);
    if (entity !== "*" && (known !== undefined || all.length === 0)) return known?.key;
    return this.#own.get(entity) ?? this.#keep(makeKey(), { id: "process", entity, scopes });
  }

  #keep(key: string, facts: KeyFacts): string {
    this.#own.set(facts.entity, key);
    this.#ownFacts.set(digestOf({ key }), facts);
    return key;
  }
}

/** A key without its secret. */
export function factsOf({ entity, name, scopes: own = scopes, expires, ...key }: KeyOptions): KeyFacts {
  const id = key.id ?? digestOf(key).replaceAll(/\W/g, "").slice(0, 6);
  return { id, entity, scopes: own, ...(name !== undefined && { name }), ...(expires !== undefined && { expires }) };
}

/** Creates a random key. */
export function makeKey(): string {
  return `ty_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url")}`;
}

/** The digest of a key, by which a file can name it. */
export function digestOf({ key, sha256 = "" }: Pick<KeyOptions, "key" | "sha256">): string {
  return key === undefined ? sha256 : hash("sha256", key, "base64");
}
