import { isObject } from "@trainyard/core/validation";
import { dialect, furtherRules, ownDescription, schemaName, sinceOf } from "@trainyard/document";

/** The source of a doc comment: a schema, a parameter or an operation. */
export type Annotated = Readonly<Record<string, unknown>>;

const width = 110;

/** The content of a doc comment. Tags are complete: `@default 20`. */
export interface DocText {
  readonly text?: string | undefined;
  readonly tags?: readonly string[];
}

/**
 * The content of a doc comment between its slashes: `* Text. `, or several lines. Undefined if it is empty. Long lines are
 * wrapped, and text that would end the comment or begin a tag is escaped.
 */
export function docComment({ text, tags = [] }: DocText): string | undefined {
  const lines = [
    ...paragraphs(text ?? "").flatMap((paragraph, index) =>
      (index > 0 ? ["", wrap(paragraph)] : wrap(paragraph)).flat(),
    ),
    ...tags.flatMap((tag) => wrap(tag).map((line, index) => (index === 0 ? line : `  ${line}`))),
  ];
  if (lines.length === 0) return undefined;
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only] = safe;
  if (safe.length === 1 && only !== undefined) return `* ${only} `;
  return ["*", ...safe.map((line) => (line === "" ? " *" : ` * ${line}`)), " "].join("\n");
}

/** A whole doc comment with an indentation, ending in a line break; empty without content. */
export function docBlock(doc: DocText, indent = ""): string {
  const comment = docComment(doc);
  return comment === undefined ? "" : `${indent}/*${comment.replaceAll("\n", `\n${indent}`)}*/\n`;
}

/** The tags of a schema. */
export function schemaTags(schema: Annotated): string[] {
  return [
    ...(schema["default"] === undefined ? [] : [`@default ${JSON.stringify(schema["default"])}`]),
    ...statusTags(schema),
  ];
}

/** `@deprecated` with the replacement, and `@beta` if the fact is a proposal that may change. */
export function statusTags(annotated: Annotated): string[] {
  const since = sinceOf(annotated);
  const tag = ["@deprecated", ...(since === undefined ? [] : [`Since ${since}.`]), ...replacements(annotated)].join(
    " ",
  );
  return [
    ...(annotated["deprecated"] === true ? [tag] : []),
    ...(dialect.basis.read(annotated) === "proposed" ? ["@beta"] : []),
  ];
}

const replacement = /(?:^|\s+)(?:Replaced by \S[^]*?|Nothing replaces it)\.(?=\s|$)/g;

/** The sentence of a description that `trainyard/deprecation` requires. Editors show it where the symbol is used. */
export function replacements(annotated: Annotated): string[] {
  return [...descriptionOf(annotated).matchAll(replacement)].flatMap(([sentence]) => paragraphs(sentence));
}

/** The description, without the sentence that `@deprecated` contains, and with what leaves below it. */
export function textOf(annotated: Annotated): string {
  const description = descriptionOf(annotated);
  const own = annotated["deprecated"] === true ? description.replaceAll(replacement, "") : description;
  return [own, ...deprecatedVariants(annotated)].filter(Boolean).join("\n\n");
}

/** The variants and values that are deprecated. TypeScript has no tag for a part of a type. */
function deprecatedVariants(annotated: Annotated): string[] {
  const variants = [annotated["oneOf"] ?? [], annotated["anyOf"] ?? []].flat().filter(isObject);
  return variants.flatMap((variant) => {
    const { $ref: reference, title, const: constant } = variant;
    const name = schemaName(String(reference)) ?? (typeof title === "string" ? title : JSON.stringify(constant));
    if (variant["deprecated"] !== true || name === undefined) return [];
    const since = sinceOf(variant);
    const said = `\`${name}\` is deprecated${since === undefined ? "" : ` since ${since}`}.`;
    return [[said, ...replacements(variant)].join(" ")];
  });
}

/** The description with its rules. Of their sources only a proposal is named, as on the site: it may change. */
function descriptionOf(annotated: Annotated): string {
  const rules = furtherRules(annotated).map(
    ({ basis, text }) => `${text}${basis === "proposed" ? " (proposed, may change)" : ""}`,
  );
  return [ownDescription(annotated), ...rules].filter(Boolean).join("\n\n");
}

function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .trim()
        .replaceAll(/\s+/g, " ")
        .replaceAll(/(^|\s)@/g, "$1\\@"),
    )
    .filter((paragraph) => paragraph !== "");
}

function wrap(paragraph: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(" ")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}
