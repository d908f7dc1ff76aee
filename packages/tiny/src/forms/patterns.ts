import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { either, empty, literal, oneOf, repeat, sequence, type Form } from "./form.ts";

/** The most repetitions beyond the required ones. */
const slack = 8;

/** The characters that need no escape in a JSON string, as bytes. */
export const plainCharacters: ReadonlySet<number> = new Set(
  Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index).filter((byte) => byte !== 0x22 && byte !== 0x5c),
);

/**
 * A text that a regular expression matches, as it is written within the quotes of a JSON string.
 *
 * @param fail throws an error for a pattern that uses what forms do not support: assertions, references
 */
export function patternForm(pattern: string, fail: (why: string) => never): Form {
  const fromAll = (alternatives: readonly AST.Alternative[]): Form =>
    either(alternatives.map(({ elements }) => sequence(...elements.map(from))));

  const from = (node: AST.Element): Form => {
    switch (node.type) {
      case "Character":
        return literal(JSON.stringify(String.fromCodePoint(node.value)).slice(1, -1));
      case "CharacterClass":
      case "CharacterSet": {
        const one = new RegExp(`^${node.raw}$`, flags);
        const fitting = [...plainCharacters].filter((byte) => one.test(String.fromCharCode(byte)));
        return fitting.length > 0 ? oneOf(new Set(fitting)) : fail(`${node.raw} has no character that it can write`);
      }
      case "Group":
      case "CapturingGroup":
        return fromAll(node.alternatives);
      case "Quantifier":
        return repeat(from(node.element), node.min, Math.min(node.max, node.min + slack));
      case "Assertion": {
        // An answer is matched as a whole, so at the edges of the pattern these say nothing.
        const { parent, kind } = node;
        const edges = parent.type === "Alternative" && parent.parent.type === "Pattern" ? parent.elements : [];
        if ((kind === "start" && edges[0] === node) || (kind === "end" && edges.at(-1) === node)) return empty;
      }
    }
    return fail(`the pattern ${pattern} has at character ${node.start} what this model cannot follow`);
  };

  // As in JavaScript, escapes that mean nothing are permitted only without the flag.
  const flags = ["u", ""].find((flags) => isPattern(pattern, flags));
  if (flags === undefined) return fail(`the pattern ${pattern} is not a regular expression`);
  const parser = new RegExpParser();
  return fromAll(parser.parsePattern(pattern, 0, pattern.length, { unicode: flags === "u" }).alternatives);
}

function isPattern(text: string, flags: string): boolean {
  try {
    return new RegExp(text, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
