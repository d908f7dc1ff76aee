/** The rules of descriptions. */
import { dialect } from "@trainyard/document";
import { nodeOf } from "../node.ts";
import type { Context, Place, Rule } from "../redocly.ts";

/** The nodes that clients can mark; elsewhere a member of this name is data. */
const marked = new Set(["Operation", "Parameter", "Schema", "Header"]);

/** The sentence that codegen moves to `@deprecated`. */
const sentence = /(?:^|\s)(?:Replaced by \S[^]*?|Nothing replaces it)\.(?=\s|$)/;

/** A deprecated element names its replacement. */
export const deprecation: Rule = () => ({ any: judge, ref: judge });

/** Checks an object, or the keywords beside a reference. */
function judge(node: unknown, context: Context): void {
  const { deprecated, description } = nodeOf(node);
  if (deprecated !== true || !marked.has(context.type.name) || sentence.test(String(description))) return;
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

/** Descriptions are sentences in the present tense: one short paragraph, without filler phrases. */
export const descriptionStyle: Rule = () => ({ any: judgeDescription, ref: judgeDescription });

/** Checks an object's description, or the one beside a reference, and the texts of its rules for callers. */
function judgeDescription(node: unknown, context: Context): void {
  const { description, summary } = nodeOf(node);
  const at = context.location.child("description");
  if (typeof description === "string") judgeText(description, at, context);
  if (context.type.name === "Operation" && description === `${String(summary)}.`) {
    const message = "The description repeats the summary. Say what callers cannot guess, such as what it changes.";
    context.report({ message, location: at });
  }
  for (const [index, { text }] of dialect.rules.read(nodeOf(node)).entries())
    judgeText(text, context.location.child([dialect.rules.key, index, "text"]), context);
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
