import { nodeOf } from "../node.ts";
import type { Context, Rule } from "../redocly.ts";

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
