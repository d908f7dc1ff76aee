/**
 * Replaces the host's `compile.ts`: the validators were generated when the site was built, so nothing is compiled in
 * the page.
 */
import type { Compile } from "@trainyard/host/compile";
import { built } from "trainyard:validators";

export function compilerOf(root: { readonly info?: { readonly title?: string } }): Compile {
  const title = root.info?.title ?? "";
  const validators = built[title];
  return (key) => {
    const validate = validators?.[key];
    if (validate === undefined) throw new Error(`No validator was built for ${key} of ${title}.`);
    return validate;
  };
}
