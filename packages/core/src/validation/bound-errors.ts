/** Errors inside one list or map after which its other items are not looked at. Many more than are told. */
export const errorsOfOneLoop = 1000;

/**
 * Rewrites the code that Ajv generates, so that judging takes time and memory in proportion to the value, whatever is wrong
 * with it. Ajv copies its list of errors at each reference that fails, and goes on to the last of a million wrong items.
 *
 * The same values pass, and a value with few errors gets the same errors. For code with `allErrors` and without `lines`, of one
 * function or of a module.
 *
 * @throws Error for code that is not written as Ajv 8.20 writes it
 */
export function boundErrors(code: string): string {
  const bounded = code
    .replaceAll(/vErrors = vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\);/g, "vErrors = joinErrors(vErrors,$1);")
    .split(/(?=\bfunction validate\d+\()/)
    .map((part) => (looksForOne.test(part) ? part : boundLoops(part)))
    .join("");
  if (bounded.includes("vErrors.concat(")) throw new Error("Ajv joins errors in a way that boundErrors does not know.");
  return joinErrors + bounded;
}

const joinErrors =
  "function joinErrors(all,errors){if(all===null)return errors;for(const error of errors)all.push(error);return all;}";

/** `contains` passes when one item fits: its loop must not end because many others do not. */
const looksForOne = /\bif\(_?valid\d+\)\{(?:break;|count\d+\+\+;)/;

// Errors are counted from the loop's start: what came before belongs to another branch of a union, perhaps.
function boundLoops(code: string): string {
  return code
    .replaceAll(
      /for\(let i(\d+)=(\w+); i\1<(\w+); i\1\+\+\)\{/g,
      `for(let i$1=$2,end$1=errors+${errorsOfOneLoop}; i$1<$3&&errors<end$1; i$1++){`,
    )
    .replaceAll(
      /for\(const key(\d+) in ([\w.]+)\)\{/g,
      `const endOfKeys$1 = errors+${errorsOfOneLoop};for(const key$1 in $2){if(errors>=endOfKeys$1){break;}`,
    );
}
