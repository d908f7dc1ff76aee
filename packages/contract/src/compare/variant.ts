import type { Comparison, Pair } from "../comparison.ts";
import { type Document, type DocumentNode, child, children } from "../document.ts";
import { brief, canonical } from "../json.ts";
import { type NormalizedSchema, allowed, types, normalizedSchema } from "./normalized-schema.ts";

/** The variants of two unions, paired. */
export interface Matched {
  readonly pairs: readonly Pair[];
  readonly added: readonly DocumentNode[];
  readonly removed: readonly DocumentNode[];
}

/** The identity of a variant. Two variants that share it are the same, however they differ. */
type Mark = (of: NormalizedSchema) => string | undefined;

/** Tried in this order: the variant's name, its tag, its other distinguishing features. */
const marks: readonly Mark[] = [
  ({ name }) => name,
  tag,
  ({ keys }) => {
    const title = keys.get("title")?.value;
    return typeof title === "string" ? title : undefined;
  },
  (of) => (tag(of) === undefined ? types(of.keys)?.toSorted().join("|") : undefined),
];

/** The constants of its properties, such as `type: "text"`. */
function tag({ properties }: NormalizedSchema): string | undefined {
  const constants = [...properties].flatMap(([name, node]) => {
    const values = allowed(new Map(children(node)));
    return values?.length === 1 ? [`${name}=${canonical(values[0])}`] : [];
  });
  return constants.length > 0 ? constants.sort().join("&") : undefined;
}

export function match(comparison: Comparison, before: readonly DocumentNode[], now: readonly DocumentNode[]): Matched {
  const left = before.map((node) => ({ node, view: normalizedSchema(comparison.base, node) }));
  const right = now.map((node) => ({ node, view: normalizedSchema(comparison.revision, node) }));
  const pairs: Pair[] = [];
  for (const mark of marks) {
    for (const base of left.slice()) {
      const baseMark = mark(base.view);
      if (baseMark === undefined) continue;
      const revision = right.find((one) => mark(one.view) === baseMark);
      if (revision === undefined) continue;
      pairs.push({ base: base.node, revision: revision.node });
      left.splice(left.indexOf(base), 1);
      right.splice(right.indexOf(revision), 1);
    }
  }
  return { pairs, added: right.map(({ node }) => node), removed: left.map(({ node }) => node) };
}

/** A variant's name in a sentence. */
export function label(document: Document, node: DocumentNode): string {
  const { name, keys } = normalizedSchema(document, node);
  const title = child(node, "title").value;
  if (name !== undefined) return `\`${name}\``;
  if (typeof title === "string") return `"${title}"`;
  return `\`${types(keys)?.join(" | ") ?? brief(node.value)}\``;
}
