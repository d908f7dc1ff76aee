/** The rules of descriptions. */
import type { JsonObject } from "@trainyard/core/validation";
import { dialect } from "@trainyard/document";
import { replacements } from "../../doc-comment.ts";
import { nodeOf } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

/** The nodes that clients can mark; elsewhere a member of this name is data. */
const marked = new Set(["Operation", "Parameter", "Schema", "Header"]);

/** A deprecated element names its replacement. */
export const deprecation: Rule = () => ({ any: judge, ref: judge });

/** Checks an object, or the keywords beside a reference. */
function judge(node: unknown, context: Context): void {
  const found = nodeOf(node);
  if (found["deprecated"] !== true || !marked.has(context.type.name) || replacements(found).length > 0) return;
  const message =
    "Something deprecated must name its replacement. Add a sentence to the description: `Replaced by …` with the name, or `Nothing replaces it`.";
  context.report({ message, location: context.location.child("deprecated").key() });
}

/** The maximum length of a description by what it describes. `info` introduces a document and may be longer. */
const limits: Readonly<Record<string, number>> = {
  Info: 2000,
  Operation: 600,
  Schema: 400,
  Parameter: 400,
  SecurityScheme: 400,
  RequestBody: 300,
  Response: 300,
  Header: 300,
  Example: 300,
  Tag: 300,
  Server: 200,
  ServerVariable: 200,
};

const checks: readonly (readonly [fails: (text: string) => boolean, message: string])[] = [
  [(text) => text.trim() === "", "The description is empty. Say what it is, or leave it out."],
  [(text) => /^\p{Ll}/u.test(text), "A description must be a sentence. Start it with a capital letter."],
  [(text) => !/\.[)"'”]?\s*$/.test(text), "A description must be a sentence. End it with a period."],
  [
    (text) => /^(?:this (?:endpoint|operation|method|route|field|property|parameter)|returns|gets|will)\b/i.test(text),
    "Do not start a description with `This endpoint`, `Returns` or `Will`. Start with the thing itself or another verb.",
  ],
  [(text) => /\bwill\b/i.test(text), "Write a description in the present tense, without `will`."],
  [
    (text) => /\b(?:SDKs?|spec files?|stubs?|fakes?|sandbox|emulator)\b/i.test(text),
    "Use the project's words. Write client, document, mock or local server for `SDK`, `spec file`, `stub`, `fake`, `sandbox` and `emulator`.",
  ],
  [(text) => text.includes("```"), "A description must not contain a code block. Move it to a guide or to an example."],
];

/** The words with which no rule begins, because each is read alone, below other rules. */
const pronoun = /^(?:They|These|Those|This|That|Its|Their|It)\b/;

/**
 * Descriptions are sentences in the present tense: one short paragraph, without filler phrases. They do not repeat a limit or a
 * default, which the reference prints beside them. A rule for callers can be read alone.
 */
export const descriptionStyle: Rule = () => ({ any: judgeDescription, ref: judgeDescription });

/** Checks an object's description, or the one beside a reference, and the texts of its rules for callers. */
function judgeDescription(node: unknown, context: Context): void {
  const { description, summary } = nodeOf(node);
  const at = context.location.child("description");
  if (typeof description === "string") judgeText(description, at, context);
  const cure = dialect.cure.read(nodeOf(node));
  if (cure !== undefined) judgeText(cure, context.location.child(dialect.cure.key), context);
  if (context.type.name === "Operation" && description === `${String(summary)}.`) {
    const message = "The description repeats the summary. Say what callers cannot guess, such as what it changes.";
    context.report({ message, location: at });
  }
  // The limits of a parameter and of a header are in its schema.
  const limited = { ...nodeOf(nodeOf(node)["schema"]), ...nodeOf(node) };
  if (typeof description === "string") judgeRepeats(description, limited, at, context);
  // The rule of a property stands beside its name, so `It` is clear there.
  const isNamed = context.type.name === "Parameter" || context.location.pointer.split("/").at(-2) === "properties";
  for (const [index, { text }] of dialect.rules.read(nodeOf(node)).entries()) {
    const location = context.location.child([dialect.rules.key, index, "text"]);
    judgeText(text, location, context);
    judgeRepeats(text, limited, location, context);
    const [word] = pronoun.exec(text) ?? [];
    if (word === undefined || (word === "It" && isNamed)) continue;
    const message = `A rule is read alone, so nobody knows what \`${word}\` is. Start with the name of the thing.`;
    context.report({ message, location });
  }
}

/** Reports a limit or a default that a text repeats. */
function judgeRepeats(text: string, node: JsonObject, location: Place, context: Context): void {
  for (const [key, value] of Object.entries(node)) {
    const kind = /^(min|max)(?:imum|Length|Items|Properties)$/.exec(key)?.[1];
    if (typeof value === "object" || (kind === undefined && key !== "default")) continue;
    const shown = `[\`"]*${numberText(value)}[\`"]*(?![\\w.,]\\d|\\w)`;
    const [before, after] = kind === "max" ? ["at most|up to", "or less"] : ["at least|from", "or more"];
    const other = node[key.replace(/^m../, kind === "max" ? "min" : "max")];
    const range = kind === "max" && other !== undefined ? `|\\b${numberText(other)}\\b[^.]{0,40} to ${shown}` : "";
    const words =
      kind === undefined
        ? `${shown} (?:by default|(?:when|if) [^.]{0,12}omitted)|\\bdefault(?:s to| is|:)? ${shown}`
        : `\\b(?:${before}) ${shown}|(?:^|\\s)${shown} (?:${after})${range}`;
    if (!new RegExp(words, "i").test(text)) continue;
    const message = `The description repeats \`${key}\`, which the reference prints beside it. Remove it from the description.`;
    return context.report({ message, location });
  }
}

/** A value as a pattern of the forms in which people write it: 10000 and 10,000. */
function numberText(value: unknown): string {
  const text = typeof value === "number" ? value.toLocaleString("en-US") : String(value);
  return text.replaceAll(/[^\w\s,]/g, "\\$&").replaceAll(",", ",?");
}

function judgeText(text: string, location: Place, context: Context): void {
  const limit = limits[context.type.name];
  if (limit === undefined) return;
  const fault = checks.find(([fails]) => fails(text));
  if (fault) context.report({ message: fault[1], location });
  if (context.type.name !== "Info" && /\n\s*\n/.test(text.trim())) {
    const message = "A description must be one short paragraph. Shorten it, and move the rest to a guide.";
    context.report({ message, location });
  }
  if (text.length > limit) {
    const message = `A description has at most ${limit} characters, and this one has ${text.length}. Shorten it, and move the rest to a guide.`;
    context.report({ message, location });
  }
}
