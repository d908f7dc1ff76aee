/** After this number of errors inside one list or map, its other items are skipped. Many more than are reported. */
export const errorsOfOneLoop = 1000;

/**
 * Rewrites the code that Ajv generates, so that the time and memory of a validation are linear in the size of the value,
 * whatever its errors are. Ajv itself copies its list of errors at each reference that fails, and continues to the last of
 * a million invalid items.
 *
 * The same values are valid, and a value with few errors gets the same errors. Works on code with `allErrors` and without
 * `lines`, of one function or of a module.
 *
 * @throws Error if the code does not have the form that Ajv 8.20 generates
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

/** `contains` passes if one item matches, so errors in other items must not end its loop. */
const looksForOne = /\bif\(_?valid\d+\)\{(?:break;|count\d+\+\+;)/;

// Count errors from the start of the loop: earlier ones may belong to another branch of a union.
function boundLoops(code: string): string {
  return code
    .replaceAll(
      /for\(let i(\d+)=(\w+); i\1<(\w+); i\1\+\+\)\{/g,
      `for(let i$1=$2,end$1=errors+${errorsOfOneLoop}; i$1<$3&&errors<end$1; i$1++){`,
    )
    .replaceAll(
      /for\(const key(\d+) (in [\w.]+|of Object\.keys\([\w.]+\))\)\{/g,
      `const endOfKeys$1 = errors+${errorsOfOneLoop};for(const key$1 $2){if(errors>=endOfKeys$1){break;}`,
    );
}
