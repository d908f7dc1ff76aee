import { schemaKeywords } from "./keywords.ts";
import { children, items, type DocumentNode } from "./node.ts";
import { dependent, schemaView } from "./view.ts";

// `deprecated` and our own keys are not among them: a change of them is reported, too.
const words = new Set("title description externalDocs $comment example examples properties".split(" "));
const sets = new Set(["type", "required", "enum"]);

/**
 * A text that schemas have in common only if they mean the same, whatever the order and the place of their keywords.
 *
 * @param end the text of a schema that is too deep to be looked at
 */
export function meaningOf(
  root: object,
  node: DocumentNode,
  end: (node: DocumentNode) => string,
  levels: number = 4,
): string {
  if (levels === 0) return end(node);
  const below = (one: DocumentNode): string => meaningOf(root, one, end, levels - 1);
  const named = (all: Iterable<[string, DocumentNode]>): string[] =>
    [...all].map(([name, one]) => `${JSON.stringify(name)}: ${below(one)}`).sort();
  const said = ([key, one]: [string, DocumentNode]): string => {
    if (schemaKeywords.lists.includes(key)) return `${key} ${items(one).map(below).join()}`;
    if (schemaKeywords.maps.includes(key)) return `${key} ${named(children(one)).join()}`;
    if (schemaKeywords.single.includes(key)) return `${key} ${below(one)}`;
    if (!sets.has(key)) return `${key} ${JSON.stringify(one.value)}`;
    // Whether null is valid is said of the whole.
    const values = [one.value ?? []].flat().filter((value) => value !== null && value !== "null");
    return `${key} ${values
      .map((value) => JSON.stringify(value))
      .sort()
      .join()}`;
  };
  const { parts, nullable } = schemaView(root, node);
  // What does not depend on other keywords is said once, wherever it stands.
  const texts = parts.flatMap(({ keys, properties, union }) => {
    const own = [...keys].filter(([key]) => !words.has(key));
    const tied = own.filter(([key]) => dependent.has(key)).map(said);
    const alone = own.filter(([key]) => !dependent.has(key)).map(said);
    const variants = (union?.variants ?? []).map(below).sort();
    const object = named(properties).map((text) => `properties ${text}`);
    return [
      ...alone,
      ...(union === undefined ? [] : [`${union.key} ${variants.join()}`]),
      ...(tied.length === 0 ? object : [[...tied.sort(), ...object].join(" & ")]),
    ];
  });
  return `{${nullable} ${[...new Set(texts)].sort().join(" & ")}}`;
}
