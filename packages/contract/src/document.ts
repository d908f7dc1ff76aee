import { Failure } from "./failure.ts";
import { type JsonObject } from "./json.ts";
import { groupBy, nodeAt, objectsIn, reference, withoutForeignWords, type DocumentNode } from "@trainyard/document";
import { isObject } from "@trainyard/core/validation";

/** One service's bundle, with lookups. */
export class Document {
  readonly service: string;
  readonly root: JsonObject;
  /** The references, by their targets. */
  #users?: ReadonlyMap<string | undefined, readonly { readonly pointer: string }[]>;

  constructor(service: string, root: JsonObject) {
    this.service = service;
    this.root = withoutForeignWords(root);
  }

  at(pointer: string): DocumentNode {
    return nodeAt(this.root, pointer);
  }

  /** The node itself, or the target of its reference. References that `which` does not accept are not resolved. */
  follow(node: DocumentNode, which: (value: JsonObject) => boolean = () => true): DocumentNode {
    let here = node;
    const passed = new Set<string>();
    for (;;) {
      const target = reference(here.value);
      if (target === undefined || !isObject(here.value) || !which(here.value)) return here;
      if (passed.has(here.pointer))
        throw new Error(`${this.service}: the reference at ${node.pointer} refers to itself.`);
      passed.add(here.pointer);
      const next = this.at(target);
      if (next.value === undefined)
        throw new Error(`${this.service}: ${here.pointer} refers to ${target}, which the document does not have.`);
      here = next;
    }
  }

  /** Pointers of the references to a pointer. */
  usersOf(target: string): readonly string[] {
    this.#users ??= groupBy(objectsIn(this.root, ""), ({ node }) => reference(node as JsonObject));
    return (this.#users.get(target) ?? []).map(({ pointer }) => pointer);
  }

  get version(): string {
    const { value } = this.at("/info/version");
    return typeof value === "string" ? value : "";
  }
}

/** A bundle as plain JSON, independent of its types. */
export function toDocument(service: string, value: unknown): Document {
  if (!isObject(value)) throw new Failure(`The bundle of ${service} is not an object.`);
  return new Document(service, value as JsonObject);
}
