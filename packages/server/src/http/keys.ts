import { hash, randomBytes } from "node:crypto";
import type { Credential } from "@trainyard/host";

/** A key and who it belongs to. */
export interface KeyOptions {
  readonly key: string;
  /** The entity (a team or a person) whose things the key opens. */
  readonly entity: string;
}

/** The keys that a server knows. They are compared by digest, so that the time it takes tells nothing of them. */
export class Keys {
  #entities: ReadonlyMap<string, string> = new Map();
  #list: readonly KeyOptions[] = [];

  /** @throws Error where there is no key, or one is empty or stands twice */
  constructor(keys: readonly KeyOptions[]) {
    this.replace(keys);
  }

  /** All keys, in order. */
  get list(): readonly KeyOptions[] {
    return this.#list;
  }

  /**
   * Takes others in place of all keys.
   * @throws Error as the constructor does; then the keys stay as they were
   */
  replace(keys: readonly KeyOptions[]): void {
    if (keys.length === 0) throw new Error("A server needs a key. Give one in `keys`, or leave `keys` out.");
    const entities = new Map<string, string>();
    for (const { key, entity } of keys) {
      if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`A key of ${entity} is empty, or no word of ASCII characters.`);
      if (!/^[^/:\s]+$/.test(entity)) {
        throw new Error(`"${entity}" cannot be an entity: it must have no slash, colon or space, and not be empty.`);
      }
      if (entities.has(digest(key))) throw new Error(`Two entities have one key (the second is ${entity}).`);
      entities.set(digest(key), entity);
    }
    this.#entities = entities;
    this.#list = keys;
  }

  /** Who a credential belongs to. The user of basic authentication must be `api`. */
  entityOf({ key, user = "api" }: Credential): string | undefined {
    return user === "api" ? this.#entities.get(digest(key)) : undefined;
  }

  /** A key of an entity. */
  has(entity: string): boolean {
    return [...this.#entities.values()].includes(entity);
  }
}

/** Makes a key that nobody can guess. */
export function makeKey(): string {
  return `ty_${randomBytes(24).toString("base64url")}`;
}

function digest(key: string): string {
  return hash("sha256", key, "base64");
}
