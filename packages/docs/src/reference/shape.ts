/** The tree of a schema as a page shows it. It is complete before anything is drawn, in the order of the page. */
import { isObject, joinPointer, memberAt, resolvePointer, type JsonObject } from "@trainyard/core/validation";
import {
  dialect,
  furtherRules,
  locate,
  ownDescription,
  locateIn,
  schemaName,
  together,
  type Basis,
  type ContractRule,
  unions,
  type Located,
} from "@trainyard/document";
import { deprecationOf, factsOf } from "./keywords.ts";
import { labelAt, labelOf, labelText, unionLabel, unionsOf, type Label } from "./label.ts";
import { rawAt, textAt } from "./node.ts";

/** A schema where it is used. */
export interface Shape {
  /** Its fragment, which is unique on the page. */
  readonly id: string;
  readonly label: Label;
  /** The component that it refers to. */
  readonly name: string | undefined;
  /** Markdown. The description where it is used comes before that of the component. */
  readonly description: string;
  /** The component's own description, if it differs from the description. */
  readonly about: string;
  /** Limits, defaults and the contract's own keys, each as a line of Markdown. */
  readonly facts: readonly string[];
  readonly deprecation: string | undefined;
  /** Its own basis; if it has none, that of its parent applies. */
  readonly basis: Basis | undefined;
  /** The basis of its component. */
  readonly componentBasis: Basis | undefined;
  readonly rules: readonly ContractRule[];
  /** Clients and commands leave its values out of their logs. */
  readonly isSensitive: boolean;
  /** The component was shown in full before, and this is its id. Its children are not repeated. */
  readonly seen: string | undefined;
  readonly fields: readonly Field[];
  /** The property that distinguishes the variants. */
  readonly by: string | undefined;
  readonly variants: readonly Variant[];
  readonly item: Shape | undefined;
  /** The values of additional properties. */
  readonly values: Shape | undefined;
}

export interface Field {
  /** The name, or the pattern of the names. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: Shape;
}

export interface Variant {
  readonly caption: string;
  readonly shape: Shape;
}

/**
 * The shapes of one page. A component is shown in full only the first time, so that recursion ends. `names`: only the first
 * component is shown in full, all others by their name.
 */
export class Shapes {
  readonly #root: object;
  readonly #depth: "all" | "names";
  readonly #given = new Set<string>();

  constructor(root: object, depth: "all" | "names" = "all") {
    this.#root = root;
    this.#depth = depth;
  }

  /** The schema at a pointer. `id` is the fragment of a schema without a component. */
  at(pointer: string, id: string): Shape {
    const raw = rawAt(this.#root, pointer);
    const place = locate(this.#root, pointer);
    const { node, pointer: target } = place;
    // What holds together is shown as one.
    const parts = together([place], (from, ...keys) => locateIn(this.#root, from, ...keys));
    const name = schemaName(target);
    const isNext = this.#depth === "names" && this.#given.size > 0;
    // A schema without children is shown in full wherever it is used.
    const isPlain = !parts.some((part) => children.some((key) => key in part.node));
    const seen = name !== undefined && !isPlain && (isNext || this.#given.has(name));
    if (name !== undefined) this.#given.add(name);
    // Keywords beside a `$ref` apply only here.
    const used: JsonObject = { ...node, ...raw };
    const own = ownDescription(raw);
    const about = ownDescription(node);
    return {
      id,
      name,
      label: name === undefined ? labelOf(this.#root, target) : [{ schema: name }],
      description: own === "" ? about : own,
      about: own === "" || own === about ? "" : about,
      facts: this.#facts(used, pointer, parts),
      deprecation: deprecationOf(used),
      basis: dialect.basis.read(raw),
      componentBasis: name === undefined ? undefined : dialect.basis.read(node),
      rules: furtherRules(node),
      isSensitive: dialect.sensitive.read(used),
      seen: seen ? name : undefined,
      ...(seen ? nothing : this.#inside(parts, name ?? id)),
    };
  }

  #facts(used: JsonObject, pointer: string, [, ...others]: readonly Located[]): string[] {
    const facts = [factsOf(used, pointer), ...others.map((part) => factsOf(part.node, part.pointer))].flat();
    const [, ...further] = this.#unions([{ node: used, pointer }, ...others]);
    return [
      ...new Set([...facts, ...further.map((union) => `Must also be ${labelText(unionLabel(this.#root, union))}`)]),
    ];
  }

  #unions(parts: readonly Located[]): Located[] {
    return parts.flatMap(({ node, pointer }) =>
      unionsOf(node).map((key) => ({ node, pointer: joinPointer(pointer, key) })),
    );
  }

  #inside(parts: readonly Located[], base: string): Pick<Shape, keyof typeof nothing> {
    const required = new Set(parts.flatMap(({ node }) => node["required"] ?? []));
    const all = (key: "properties" | "patternProperties"): (readonly [name: string, pointer: string])[] =>
      parts.flatMap(({ node, pointer }) =>
        Object.keys(Object(node[key])).map((name) => [name, joinPointer(pointer, key, name)] as const),
      );
    const first = (key: string): string | undefined => {
      const part = parts.find(({ node }) => isObject(node[key]));
      return part && joinPointer(part.pointer, key);
    };
    const properties = new Map<string, string>();
    // Of several schemas of a property, the first that says something is shown.
    for (const [name, at] of all("properties"))
      if (Object.keys(rawAt(this.#root, properties.get(name) ?? "")).length === 0) properties.set(name, at);
    const named = [...properties].map(([name, at]) => ({
      name,
      isRequired: required.has(name),
      shape: this.at(at, `${base}.${name}`),
    }));
    // A pattern stands in the place of the name. It is no fragment of an address.
    const matching = all("patternProperties").map(([name, at], index) => ({
      name,
      isRequired: false,
      shape: this.at(at, `${base}.*${index + 1}`),
    }));
    const [item, values] = [first("items") ?? first("contentSchema"), first("additionalProperties")];
    return {
      fields: [...named, ...matching],
      ...this.#variants(parts, base),
      // A stream also has an item.
      item: item === undefined ? undefined : this.at(item, `${base}[]`),
      values: values === undefined ? undefined : this.at(values, `${base}.*`),
    };
  }

  #variants(parts: readonly Located[], base: string): Pick<Shape, "by" | "variants"> {
    const [union] = this.#unions(parts);
    const property = union && memberAt(union.node, ["discriminator", "propertyName"]);
    const by = typeof property === "string" ? property : undefined;
    const members = union === undefined ? [] : [resolvePointer(this.#root, union.pointer)].flat();
    const variants = members.flatMap((_, index): Variant[] => {
      const at = joinPointer(union?.pointer ?? "", index);
      const caption = this.#caption(at, by);
      // The label says that a value may be null.
      return caption === "null" ? [] : [{ caption, shape: this.at(at, `${base}:${index + 1}`) }];
    });
    return { by, variants };
  }

  /** The name of a variant: the value that distinguishes it, or its title, its name or its type. */
  #caption(pointer: string, by: string | undefined): string {
    const { node, pointer: target } = locate(this.#root, pointer);
    const tag = by === undefined ? undefined : memberAt(node, ["properties", by, "const"]);
    if (typeof tag === "string") return tag;
    const title = textAt(rawAt(this.#root, pointer), "title") || textAt(node, "title");
    return title || (schemaName(target) ?? labelText(labelAt(this.#root, pointer)));
  }
}

const children = ["properties", "patternProperties", "items", "additionalProperties", ...unions];

const nothing = {
  fields: [],
  by: undefined,
  variants: [],
  item: undefined,
  values: undefined,
} satisfies Partial<Shape>;

/** Whether a shape has children that a reader can open. */
export function isDeep(shape: Shape): boolean {
  const { seen, fields, variants, item, values } = shape;
  if (seen !== undefined || fields.length > 0 || variants.length > 0) return true;
  return [item, values].some((one) => one !== undefined && (isDeep(one) || hasWords(one)));
}

/** Whether there is text about a shape in addition to its label. */
export function hasWords({ description, facts, rules, basis, deprecation }: Shape): boolean {
  return description !== "" || facts.length > 0 || rules.length > 0 || basis !== undefined || deprecation !== undefined;
}
