import { hash, randomBytes } from "node:crypto";
import type { Credential } from "@trainyard/host";

/** The entity of the key that a server creates for itself. */
export const defaultEntity = "local";

/** A key and who it belongs to. */
export interface KeyOptions {
  readonly key: string;
  /** The entity (a team or a person) whose data the key gives access to. */
  readonly entity: string;
}

/**
 * The keys that a server accepts. They are compared by digest, so that the time of a comparison reveals nothing about
 * them.
 */
export class Keys {
  #entities: ReadonlyMap<string, string> = new Map();
  #list: readonly KeyOptions[] = [];

  /** @throws Error if there is no key, or a key is invalid or listed twice */
  constructor(keys: readonly KeyOptions[]) {
    this.replace(keys);
  }

  /** All keys, in order. */
  get list(): readonly KeyOptions[] {
    return this.#list;
  }

  /**
   * Replaces all keys.
   * @throws Error as the constructor does; then the previous keys stay
   */
  replace(keys: readonly KeyOptions[]): void {
    if (keys.length === 0) throw new Error("A server needs at least one key. Pass one in `keys`, or omit `keys`.");
    const entities = new Map<string, string>();
    for (const { key, entity } of keys) {
      if (!/^[\x21-\x7e]+$/.test(key))
        throw new Error(`A key of ${entity} is invalid. Keys are ASCII characters without spaces.`);
      if (!/^[^/:\s]+$/.test(entity)) {
        throw new Error(`"${entity}" cannot be an entity: it must have no slash, colon or space, and not be empty.`);
      }
      if (entities.has(digest(key)))
        throw new Error(`Two entries have the same key. The second one belongs to the entity ${entity}.`);
      entities.set(digest(key), entity);
    }
    this.#entities = entities;
    this.#list = keys;
  }

  /** The entity of a credential. The user of basic authentication must be `api`. */
  entityOf({ key, user = "api" }: Credential): string | undefined {
    return user === "api" ? this.#entities.get(digest(key)) : undefined;
  }
}

/** Creates a random key. */
export function makeKey(): string {
  return `ty_${randomBytes(24).toString("base64url")}`;
}

function digest(key: string): string {
  return hash("sha256", key, "base64");
}
